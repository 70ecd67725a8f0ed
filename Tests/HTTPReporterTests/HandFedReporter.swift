import PluginKit
import TallyTesting
import TestFiles
import Testing

/// The plugin's file with a host around it that hands it beacons by their numbers, so that a run can go on in another
/// process, and its session with it.
final class HandFedReporter {
    private let host: FakeHost
    private let runID: String
    private var flushes: UInt64 = 0

    /// Starts the reporter; the configuration is given, but for its waits, which are short.
    ///
    /// With `waitsForRoom` the host says that it waits, as a replay does.
    init(_ configuration: JSONObject, runID: String = "run-1", waitsForRoom: Bool = false) throws {
        var all: JSONObject = ["retry": ["first_ms": 5, "longest_ms": 40], "commit_ms": 20, "drain_ms": 0]
        for member in configuration { all[member.key] = member.value }
        self.runID = runID
        host = try FakeHost(.file(PluginFiles.plugin("http")), playerRunID: runID)
        host.waitsForRoom = waitsForRoom
        try host.start(.object(all))
    }

    /// What it logged.
    var lines: [String] { host.logLines.map(\.message) }
    /// How often it said that there is room again.
    var readyCount: Int { host.readyCount }

    /// Hands it beacons whose bodies are their numbers, and gives how many of them it took.
    @discardableResult
    func deliver(
        _ ordinals: ClosedRange<UInt64>,
        to url: String,
        session: UInt32 = 1,
        destination: String = "test",
        _ change: (inout FakeHost.Beacon) -> Void = { _ in }
    ) -> Int64 {
        let outputs = ReporterOutputs(playerRunID: runID)
        for ordinal in ordinals {
            var beacon = FakeHost.Beacon(destination: destination, url: url, body: Array("\(ordinal)".utf8))
            change(&beacon)
            outputs.add(beacon, ordinal: ordinal, session: session)
        }
        return host.deliver(outputs)
    }

    /// Asks it to bring away what it took of a session, 0 for all, and gives the number of the question.
    func flush(session: UInt32 = 0, budgetMilliseconds: Int64 = 600_000) -> UInt64 {
        flushes += 1
        host.flush(token: flushes, session: session, budgetMilliseconds: budgetMilliseconds)
        return flushes
    }

    /// The answer to a flush; nil while there is none.
    func answer(to flush: UInt64) -> FakeHost.FlushAnswer? { host.flushAnswers.first { $0.token == flush } }

    /// What it answers to a command; null when it refuses.
    func ask(_ command: String, _ arguments: JSONValue = .object([:])) -> JSONValue {
        host.command(command, arguments).value ?? .null
    }

    /// Gives it another configuration, whole.
    func configure(_ configuration: JSONObject) { host.reconfigure(.object(configuration)) }

    /// Ends it, and gives what became of what it took.
    @discardableResult
    func end() -> JSONValue {
        host.disable()
        defer { host.destroy() }
        return ask("totals")
    }
}
