import ChildPrograms
import KafkaBrokers
import KafkaClient
import PluginKit
import TestFiles
import Testing

/// Brokers that fail: what was taken arrives, or is counted with a reason.
@Suite("The reporter kafka while brokers fail")
struct FailureTests {
    /// Both ways to a broker.
    enum Way: String, CaseIterable {
        case direct, spooled

        func settings(_ folder: TemporaryFolder) -> JSONObject {
            self == .spooled ? ["spool": .string(folder.file("spool.db"))] : [:]
        }
    }

    /// The numbers in the ids of a topic's messages, in order.
    private static func numbers(_ cluster: MockCluster, topic: String = "tally") throws -> [Int] {
        let reader = try KafkaReader(KafkaAddress("kafka://\(cluster.addresses)/\(topic)"))
        var numbers: [Int] = []
        while unsafe try reader.next({ value in
            let json = try? JSONParser().parse(unsafe String(decoding: value, as: UTF8.self))
            numbers.append(Int(json?["n"]?.int ?? -1))
        }) {}
        return numbers
    }

    @Test("Brokers that are gone for a while: all arrives once they are back, in order", arguments: Way.allCases)
    func gone(way: Way) async throws {
        let cluster = try MockCluster()
        cluster.create(topic: "tally", partitions: 1)
        let folder = TemporaryFolder()
        cluster.setDown()
        let reporter = try FedReporter(cluster, way.settings(folder))
        #expect(reporter.deliver(1...500) == 500)
        let early = reporter.flush()
        // The connection is refused again and again meanwhile.
        #expect(await eventually { reporter.lines.contains { $0.hasPrefix("librdkafka: ") } })
        #expect(reporter.answer(to: early) == nil)
        cluster.setUp()
        #expect(await eventually { reporter.answer(to: early) != nil })
        let totals = reporter.end()
        #expect(totals["delivered"]?.int == 500, "\(totals)")
        #expect(totals["lost"]?.int == 0)
        #expect(try Self.numbers(cluster) == Array(1...500))
    }

    @Test("A partition that moves to another broker, and answers that say so", arguments: Way.allCases)
    func moved(way: Way) async throws {
        let cluster = try MockCluster()
        cluster.create(topic: "tally", partitions: 1)
        cluster.setLeader(of: "tally", 0, to: 1)
        let folder = TemporaryFolder()
        let reporter = try FedReporter(cluster, way.settings(folder))
        for round in 0..<10 as Range<UInt64> {
            cluster.answer(.produce, [.notLeader, .timedOut, .cut, .notEnoughReplicas])
            cluster.setLeader(of: "tally", 0, to: Int(round % 3) + 1)
            #expect(reporter.deliver(round * 50 + 1...round * 50 + 50) == 50)
            let flush = reporter.flush()
            #expect(await eventually { reporter.answer(to: flush) != nil })
        }
        let totals = reporter.end()
        #expect(totals["delivered"]?.int == 500, "\(totals)")
        // The mock cluster keeps no sequence numbers: what it has, and whose answer is lost with a connection, comes twice.
        // Without them it also takes a later request of librdkafka's behind one that it has refused, as a real broker does not.
        var seen: Set<Int> = []
        let arrived = try Self.numbers(cluster).filter { seen.insert($0).inserted }
        #expect(arrived.count == 500 && seen == Set(1...500), "\(arrived)")
        if way == .spooled { #expect(arrived == Array(1...500)) }
    }

    @Test("A full queue of librdkafka holds the host up, and says when there is room again")
    func full() async throws {
        let cluster = try MockCluster()
        cluster.setDown()
        let reporter = try FedReporter(cluster, ["options": ["queue.buffering.max.messages": 100]])
        #expect(reporter.deliver(1...1_000) == 100)
        #expect(reporter.deliver(101...1_000) == 0)
        #expect(reporter.readyCount == 0)
        cluster.setUp()
        var taken: UInt64 = 100
        while taken < 1_000 {
            let before = reporter.readyCount
            let more = UInt64(reporter.deliver(taken + 1...1_000))
            taken += more
            if more == 0, taken < 1_000 { #expect(await eventually { reporter.readyCount > before }) }
        }
        #expect(reporter.end()["delivered"]?.int == 1_000)
        #expect(try Set(Self.numbers(cluster)) == Set(1...1_000))
    }

    @Test(
        "A message that librdkafka finds too large is given up as malformed, and nothing else",
        arguments: Way.allCases
    )
    func tooLarge(way: Way) async throws {
        let cluster = try MockCluster()
        let folder = TemporaryFolder()
        var settings = way.settings(folder)
        settings["options"] = ["message.max.bytes": 10_000]
        let reporter = try FedReporter(cluster, settings)
        #expect(reporter.deliver(1...10) == 10)
        #expect(reporter.deliver(11...11, bytes: 20_000) == 1)
        #expect(reporter.deliver(12...20) == 9)
        let totals = reporter.end()
        #expect(totals["delivered"]?.int == 19, "\(totals)")
        #expect(totals["given_up"] == ["malformed": 1])
        #expect(totals["lost"]?.int == 1)
        #expect(try Set(Self.numbers(cluster)) == Set(1...20).subtracting([11]))
        if way == .spooled {
            let letters = try FedReporter(cluster, settings)
            let dead = letters.ask("dead_letters")
            #expect(dead.array?.count == 1 && dead.array?[0]["n"]?.int == 11, "\(dead)")
            letters.end()
        }
    }

    @Test(
        "Of messages that a broker refuses for their size together, each gets a try alone; what it refuses then is given up"
    )
    func refusedTogether() async throws {
        let cluster = try MockCluster()
        let folder = TemporaryFolder()
        // The batch, and the first message alone.
        cluster.answer(.produce, [.messageTooLarge, .messageTooLarge])
        let reporter = try FedReporter(
            cluster,
            ["spool": .string(folder.file("spool.db")), "options": ["linger.ms": 300]]
        )
        #expect(reporter.deliver(1...20) == 20)
        let totals = reporter.end()
        #expect(totals["delivered"]?.int == 19, "\(totals)")
        #expect(totals["given_up"] == ["refused": 1])
        #expect(try Set(Self.numbers(cluster)) == Set(2...20))
    }

    @Test(
        "What is not sent at the end waits in the spool for the next start, and is gone without one",
        arguments: Way.allCases
    )
    func end(way: Way) async throws {
        let cluster = try MockCluster()
        cluster.setDown()
        let folder = TemporaryFolder()
        var settings = way.settings(folder)
        settings["drain_ms"] = 100
        let reporter = try FedReporter(cluster, settings)
        #expect(reporter.deliver(1...100) == 100)
        let totals = reporter.end()
        cluster.setUp()
        switch way {
        case .direct:
            #expect(totals["given_up"] == ["gone": 100], "\(totals)")
            #expect(totals["lost"]?.int == 100)
        case .spooled:
            #expect(totals["waiting"]?.int == 100, "\(totals)")
            let next = try FedReporter(cluster, way.settings(folder))
            // A replay of the archive says them again.
            #expect(next.deliver(1...100) == 100)
            let after = next.end()
            #expect(after["delivered"]?.int == 100, "\(after)")
            #expect(after["repeats"]?.int == 100)
            #expect(try Self.numbers(cluster).sorted() == Array(1...100))
        }
    }

    @Test("A property that librdkafka does not know, and a spool of another reporter, are refused with a reason")
    func refused() throws {
        let cluster = try MockCluster()
        #expect(throws: (any Error).self) { try FedReporter(cluster, ["options": ["no.such": 1]]) }
        #expect(throws: (any Error).self) { try FedReporter(cluster, ["topic": "a b"]) }
        #expect(throws: (any Error).self) { try FedReporter(cluster, ["options": ["sasl.password": "geheim"]]) }
    }

    @Test("A new configuration keeps the spool: one without it, or with another one, is refused and changes nothing")
    func sameSpool() throws {
        let cluster = try MockCluster()
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let reporter = try FedReporter(cluster, ["spool": .string(spool)])
        cluster.setDown()
        reporter.deliver(1...10)
        #expect(!reporter.reconfigure(["spool": nil]))
        #expect(!reporter.reconfigure(["spool": .string(folder.file("other.db"))]))
        reporter.deliver(11...20)
        cluster.setUp()
        #expect(reporter.reconfigure(["spool": .string(spool), "topic": "said"]))
        reporter.deliver(21...30)
        #expect(reporter.end()["delivered"] == 30)
        #expect(!TemporaryFolder.names(in: folder.path).contains("other.db"))
    }
}
