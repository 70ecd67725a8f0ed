import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import TestFiles

/// A run that is reported to a server of the tests while it is recorded.
final class ReportingRun {
    let server: LoopbackServer
    let folder = TemporaryFolder()

    /// Starts a server that takes everything, unless the configuration says otherwise.
    init(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration()
        configuration.onPost = { _ in PostAnswer(status: 204, body: "") }
        change(&configuration)
        server = try LoopbackServer(configuration)
    }

    /// Records what a player does, at times in ms since the run's start.
    @discardableResult
    func record(
        _ configuration: JSONObject = [:],
        id: String = "virtualrun01",
        steps: [(Int64, PlayerAction)],
        changing change: (SyntheticPlayer, PlayerAction) -> Void = { _, _ in }
    ) throws -> RecordedRun {
        var members: JSONObject = [
            "url": .string("http://127.0.0.1:\(server.port)/c/acme"), "drain_ms": 60_000,
            "retry": ["first_ms": 5, "longest_ms": 40],
        ]
        for member in configuration { members[member.key] = member.value }
        var virtual = VirtualRun(
            plugins: [PluginSelection("org.tally.reporter.cmcd", name: "cmcd", configuration: .object(members))],
            sources: [.file(PluginFiles.plugin("cmcd"))]
        )
        virtual.id = id
        return try virtual.record { player, run, clock in
            for (time, action) in steps {
                clock.advance(to: time * 1000)
                run.pump()
                change(player, action)
                player.perform(action, on: run)
                run.pump()
            }
        }
    }

    /// The bodies that were taken, each once.
    var bodies: [String] { server.requests.reduce(into: []) { if !$0.contains($1.text) { $0.append($1.text) } } }

    /// The reports in them, by their number.
    var reports: [[String: String]] {
        bodies.flatMap { $0.split(separator: "\n") }.map(Self.keys).sorted {
            Int($0["sn"] ?? "") ?? 0 < Int($1["sn"] ?? "") ?? 0
        }
    }

    /// The keys of a report, which have no comma in their values here.
    private static func keys(_ line: Substring) -> [String: String] {
        Dictionary(
            line.split(separator: ",").map { member in
                let parts = member.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }
        ) { first, _ in first }
    }
}
