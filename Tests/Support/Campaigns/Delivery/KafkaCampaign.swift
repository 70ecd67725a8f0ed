internal import ChildPrograms
internal import Glibc
internal import KafkaBrokers
internal import KafkaClient
internal import System
internal import TextEncoding

/// Ends a replay that writes records, beacons and archive lines to topics of a mock cluster with SIGKILL at random
/// moments, while brokers fail at random, and starts it again: in the end every message has arrived, and nothing else.
///
/// A message may arrive twice when it was in the spool right behind a kill: nobody knows whether a broker had it. Where
/// brokers go down or cut connections, one more reason is the mock cluster's: it does not know a batch again that it took
/// before its connection was cut, as Kafka's brokers do of an idempotent producer. Those rounds count such messages; the
/// others have no cut.
package struct KafkaCampaign: Campaign {
    /// The topics: of what trackers say, and of archive lines.
    private static let topics = ["said", "lines"]
    /// Answers that a producer has to bear; the first only where brokers go down.
    private static let answers: [MockCluster.Answer] = [
        .cut, .notLeader, .timedOut, .notEnoughReplicas, .leaderNotAvailable,
    ]

    private let binaries: String
    private let folder: String
    private let sessions: Int

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    ///
    /// So many sessions are less than a partition of the mock cluster keeps, also when each kill has all of it sent again.
    package init(binaries: String, folder: String, sessions: Int = 600) {
        self.binaries = binaries
        self.folder = folder
        self.sessions = sessions
    }

    /// They mostly wait.
    package var roundsAtOnce: Int { 3 }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        do {
            let cluster = try MockCluster()
            for topic in Self.topics { cluster.create(topic: topic, partitions: 2) }
            var replay = try DeliveringReplay(
                binaries: binaries,
                base: "\(folder)/tally-kafka-\(getpid())-\(seed)",
                beacons: sessions,
                reporter: "kafka"
            )
            defer { replay.remove() }
            replay.settings = [
                "brokers": "\"\(cluster.addresses)\"", "topic": "\"said\"", "archive": "\"lines\"", "commit_ms": "20",
                "retry.first_ms": "5", "retry.longest_ms": "50", "drain_ms": "600000",
                "options": #"{"reconnect.backoff.max.ms": 100, "retry.backoff.ms": 10}"#,
            ]
            let expected = try await expected(replay)
            let goesDown = seed % 2 == 1
            let trouble = Trouble(cluster, seed: random.next(), goesDown: goesDown)
            var unknown: Set<String> = []
            let kills = 1 + Int(random.next() % 5)
            for _ in 0..<kills {
                let program = try replay.start(to: "http://127.0.0.1:1/")
                try await Task.sleep(for: .microseconds(Int(30_000 + random.next() % 400_000)))
                program.send(SIGKILL)
                _ = try await program.end()
                unknown.formUnion(replay.waitingIDs())
            }
            let code = try await replay.start(to: "http://127.0.0.1:1/").end()
            trouble.end()
            guard code == 0 else { return "the last replay ended with \(code): \(replay.said)" }
            return try judge(cluster, expected, unknown, isMockToBlame: goesDown, "seed \(seed): \(kills) kills")
        } catch {
            return "\(error)"
        }
    }

    /// What a replay without any trouble says, and the archive: what each topic is to hold, by id.
    private func expected(_ replay: DeliveringReplay) async throws -> [[String: String]] {
        let outcome = try await ChildProgram.run(
            "\(binaries)/tally-replay",
            [
                replay.archive, "--quiet", "--plugin-dir", binaries, "--plugins", "example-swift,jsonlines",
                "--set", "plugins.example-swift.config.url=\"http://127.0.0.1:1/\"",
            ]
        )
        guard outcome.code == 0 else { throw RoundFailure("the replay to compare with: \(outcome)") }
        let files = RoundFiles(folder: "")
        return [
            Self.byID(outcome.output.split(separator: "\n")),
            Self.byID(files.read(replay.archive).split(separator: "\n")),
        ]
    }

    private static func byID(_ lines: [Substring]) -> [String: String] {
        Dictionary(lines.compactMap { line in id(of: String(line)).map { ($0, String(line)) } }) { first, _ in first }
    }

    /// The id of a message as the spool has it; nil of a line that is none.
    private static func id(of line: String) -> String? {
        guard let json = try? JSONParser().parse(line), let run = json["run"]?.string, let n = json["n"]?.int else {
            return nil
        }
        let mark = json["line"]?.string == "beacon" ? ":beacon" : ""
        // The spool counts lines from 1.
        return json["line"] == nil ? "\(run)/:line/\(n + 1)" : "\(run)/\(json["instance"]?.string ?? "")\(mark)/\(n)"
    }

    private func judge(
        _ cluster: MockCluster,
        _ expected: [[String: String]],
        _ unknown: Set<String>,
        isMockToBlame: Bool,
        _ round: String
    ) throws -> String? {
        var (messages, twice, again) = (0, 0, 0)
        for (topic, expected) in zip(Self.topics, expected) {
            var arrived: [String: Int] = [:]
            let reader = try KafkaReader(KafkaAddress("kafka://\(cluster.addresses)/\(topic)"))
            guard reader.forgotten == 0 else {
                return "the mock cluster keeps no more \(reader.forgotten) messages of \(topic): the round says nothing"
            }
            var problem: String?
            while unsafe try reader.next({ value in
                let line = unsafe String(decoding: value, as: UTF8.self)
                let id = Self.id(of: line) ?? ""
                arrived[id, default: 0] += 1
                if expected[id] != line { problem = problem ?? "\(topic) has what nobody said: \(line)" }
            }) {}
            if let problem { return problem }
            let missing = expected.keys.filter { arrived[$0] == nil }.sorted()
            guard missing.isEmpty else { return "\(missing.count) never arrived in \(topic): \(missing.prefix(5))" }
            messages += expected.count
            for (id, count) in arrived where count > 1 {
                if unknown.contains(id) { twice += 1 } else { again += 1 }
            }
        }
        guard again == 0 || isMockToBlame else { return "\(again) arrived twice without a kill that explains it" }
        print(
            "\(round), \(messages) messages, \(twice) twice behind a kill"
                + (again > 0 ? ", \(again) by the cluster" : "")
        )
        return nil
    }
}

/// Brokers that fail at random, until it ends.
private final class Trouble: Sendable {
    private let isOver = Condition(false)
    private let ended = Condition(false)

    init(_ cluster: MockCluster, seed: UInt64, goesDown: Bool) {
        _ = Thread(name: "trouble") { [isOver, ended] in
            var random = SplitMix64(seed: seed)
            while !(isOver.with { $0 }) {
                switch random.next() % 4 {
                case 0 where goesDown:
                    let broker = Int(random.next() % 3) + 1
                    cluster.setDown(broker)
                    usleep(UInt32(20_000 + random.next() % 300_000))
                    cluster.setUp(broker)
                case 1:
                    for topic in KafkaCampaign.troubled {
                        cluster.setLeader(of: topic, Int(random.next() % 2), to: Int(random.next() % 3) + 1)
                    }
                default:
                    let answers = Array(KafkaCampaign.troubles.dropFirst(goesDown ? 0 : 1))
                    cluster.answer(
                        .produce,
                        (0..<1 + random.next() % 4).map { _ in answers[Int(random.next() % UInt64(answers.count))] }
                    )
                }
                usleep(UInt32(20_000 + random.next() % 200_000))
            }
            cluster.setUp()
            cluster.answerWell(.produce)
            ended.change { $0 = true }
        }
    }

    /// Ends it, and waits until brokers are well.
    func end() {
        isOver.change { $0 = true }
        _ = ended.wait(until: nil) { $0 ? true : nil }
    }
}

extension KafkaCampaign {
    fileprivate static var troubled: [String] { topics }
    fileprivate static var troubles: [MockCluster.Answer] { answers }
}
