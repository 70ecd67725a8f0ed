import ChildPrograms
import KafkaBrokers
import KafkaClient
import Tally
import TallyTesting
import TestFiles
import TextEncoding

/// A run that is recorded while the reporter writes it to a mock cluster, and its archive.
final class KafkaRun {
    let cluster: MockCluster
    let folder = TemporaryFolder()
    /// Runs so far: an archive goes with its run.
    private var runs: [RecordedRun] = []

    /// The last run's archive.
    var archive: String { runs.last?.archive ?? "" }

    /// Starts brokers.
    init(brokers: Int = 3) throws { cluster = try MockCluster(brokers: brokers) }

    /// Records a run of so many sessions, of each of which the example tracker says some records and a beacon.
    @discardableResult
    func record(
        sessions: Int = 3,
        _ configuration: JSONObject = ["archive": "runs"],
        id: String = "virtualrun01",
        isolation: PluginIsolation = .none
    ) throws -> RecordedRun {
        var members: JSONObject = ["brokers": .string(cluster.addresses), "drain_ms": 60_000]
        for member in configuration { members[member.key] = member.value }
        var virtual = VirtualRun(
            plugins: [
                PluginSelection("org.tally.example.swift", name: "example-swift"),
                PluginSelection(
                    "org.tally.reporter.kafka",
                    name: "kafka",
                    isolation: isolation,
                    configuration: .object(members)
                ),
            ],
            sources: [.file(PluginFiles.plugin("example-swift")), .file(PluginFiles.plugin("kafka"))]
        )
        virtual.id = id
        let run = try virtual.record { player, run, clock in
            for _ in 1...sessions {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
                clock.advance(to: clock.now() + 1_500_000)
                player.perform(.pause, on: run)
                run.pump()
                player.perform(.unload, on: run)
                run.pump()
            }
        }
        runs.append(run)
        return run
    }

    /// The values of a topic's messages, in order.
    func values(of topic: String, run: String? = nil) throws -> [String] {
        let query = run.map { "?run=\($0)" } ?? ""
        let reader = try KafkaReader(KafkaAddress("kafka://\(cluster.addresses)/\(topic)\(query)"))
        var values: [String] = []
        while unsafe try reader.next({ unsafe values.append(String(decoding: $0, as: UTF8.self)) }) {}
        return values
    }

    /// What a replay comes to.
    func replay(_ arguments: String...) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run("tally-replay", arguments + ["--plugin-dir", PluginFiles.folder])
    }

    /// What an archive tool comes to.
    func tool(_ arguments: String...) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run("tally-replay", arguments)
    }

    /// The address of a topic.
    func address(_ topic: String) -> String { "kafka://\(cluster.addresses)/\(topic)" }
}
