import KafkaBrokers
import PluginKit
import TallyTesting
import TestFiles
import Testing

/// The plugin's file with a host around it that hands it records by their numbers.
final class FedReporter {
    private let host: FakeHost
    private let runID: String
    private let configuration: JSONObject
    private var flushes: UInt64 = 0

    /// Starts the reporter; the configuration is given, but for short waits.
    init(
        _ cluster: MockCluster,
        _ configuration: JSONObject = [:],
        runID: String = "run-1",
        waitsForRoom: Bool = true
    ) throws {
        var all: JSONObject = [
            "brokers": .string(cluster.addresses), "retry": ["first_ms": 5, "longest_ms": 40], "commit_ms": 20,
            "drain_ms": 60_000,
        ]
        for member in configuration { all[member.key] = member.value }
        self.runID = runID
        self.configuration = all
        host = try FakeHost(.file(PluginFiles.plugin("kafka")), playerRunID: runID)
        host.waitsForRoom = waitsForRoom
        try host.start(.object(all))
    }

    /// What it logged.
    var lines: [String] { host.logLines.map(\.message) }
    /// How often it said that there is room again.
    var readyCount: Int { host.readyCount }

    /// Hands it records and gives how many of them it took; each has a text of so many bytes.
    @discardableResult
    func deliver(_ ordinals: ClosedRange<UInt64>, bytes: Int = 10) -> Int64 {
        let outputs = ReporterOutputs(playerRunID: runID)
        for ordinal in ordinals {
            let text = String(repeating: "x", count: bytes)
            outputs.add(FakeHost.Record(kind: "TEST", attributes: [("text", .string(text))]), ordinal: ordinal)
        }
        return host.deliver(outputs)
    }

    /// Asks it to bring away what it took, and gives the number of the question.
    func flush() -> UInt64 {
        flushes += 1
        host.flush(token: flushes, session: 0, budgetMilliseconds: 600_000)
        return flushes
    }

    /// The answer to a flush; nil while there is none.
    func answer(to flush: UInt64) -> FakeHost.FlushAnswer? { host.flushAnswers.first { $0.token == flush } }

    /// What it answers to a command; null when it refuses.
    func ask(_ command: String, _ arguments: JSONValue = .object([:])) -> JSONValue {
        host.command(command, arguments).value ?? .null
    }

    /// Gives it what it was begun with, with these members in their places; whether it goes on with that.
    func reconfigure(_ members: JSONObject) -> Bool {
        var all = configuration
        for member in members { all[member.key] = member.value }
        return host.reconfigure(.object(all)) == 0
    }

    /// Ends it, and gives what became of what it took.
    @discardableResult
    func end() -> JSONValue {
        host.disable()
        defer { host.destroy() }
        return ask("totals")
    }
}
