import ChildPrograms
import Database
import LoopbackServer
import PluginKit
import Tally
import TestFiles
import Testing

/// What a damaged spool costs, and what it does not.
@Suite("The reporter http goes on with a damaged spool")
struct DamageTests {
    @Test("A spool that was damaged loses the damaged beacons, tells how many, and goes on with the rest")
    func damaged() throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let port = try TestServer.freePort()
        let count = 400
        let first = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        for number in 1...count {
            first.say(number, to: "http://127.0.0.1:\(port)/\(String(repeating: "x", count: 700))")
        }
        first.end()
        try FileBytes.overwrite(spool, at: 40 * 4096, count: 2 * 4096)
        let server = try TestServer.start(port: port)
        let log = LogBook()
        let second = try Delivery(["spool": .string(spool)], log: log)
        let stats = try second.ask("stats")
        second.end()
        let arrived = Set(TestServer.numbers(server.requests))
        let lost = try #require(stats["destinations"]?[""]?["damaged"]?.int)
        #expect(arrived.count < count && arrived.count > count / 2)
        #expect(lost > 0 && arrived.count + Int(lost) >= count)
        #expect(log.lines.contains { $0.contains("was moved to") && $0.contains("\(arrived.count) beacons go on") })
    }

    @Test("Counts that a damaged row has twice, or that are too large to be added, end nothing")
    func damagedCounts() throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let port = try TestServer.freePort()
        let first = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        first.say(1, to: "http://127.0.0.1:\(port)/a")
        first.end()
        do {
            let database = try Database(path: spool)
            // Two names that are the same as text: bytes that are no UTF-8, and bytes that are no text.
            try database.run(
                """
                INSERT INTO counts VALUES ('a', CAST(x'ff' AS TEXT), 1), ('a', CAST(x'fe' AS TEXT), 1),
                    ('b', 'expired', 9223372036854775807), ('c', 'expired', 9223372036854775807),
                    ('b', CAST('refused' AS BLOB), 9223372036854775807), ('d', 'refused', -9223372036854775808);
                """
            )
        }
        let server = try TestServer.start(port: port)
        let second = try Delivery(["spool": .string(spool)])
        second.say(2, to: server.url(of: "b"))
        #expect(try second.ask("stats")["waiting"] != nil)
        second.end()
        #expect(Set(TestServer.numbers(server.requests)) == [1, 2])
    }

    @Test(
        "A spool that is damaged while it is used loses the damaged beacons, tells how many, and goes on with the rest",
        // Behind what waits in memory: pages of the table, and a place with pages of the index as well.
        arguments: [800..<810, 540..<580]
    )
    func damagedInUse(pages: Range<Int>) async throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let port = try TestServer.freePort()
        // More than what SQLite keeps in memory, and than what stays in the log beside the file.
        let count = 12_000
        let log = LogBook()
        let delivery = try Delivery(
            [
                "spool": .string(spool), "settled": "committed", "concurrency": 16,
                "retry": ["first_ms": 20, "longest_ms": 100, "attempts": 1_000_000],
            ],
            log: log
        )
        for number in 1...count {
            delivery.say(number, to: "http://127.0.0.1:\(port)/\(String(repeating: "x", count: 900))")
            // A live run does not wait: what is too much for its queues is dropped.
            if number % 50 == 0 { _ = delivery.run.plugins() }
        }
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["waiting"] == .int(Int64(count))
        }
        #expect(stats["waiting"] == .int(Int64(count)), "\(stats.canonicalText)")
        try FileBytes.overwrite(spool, at: pages.lowerBound * 4096, count: pages.count * 4096)
        let server = try TestServer.start(port: port)
        // While the damage is being found a question may be refused.
        let after = await eventually {
            (try? delivery.ask("stats")) ?? .null
        } until: {
            $0["waiting"] == .int(0) && $0["destinations"]?[""]?["damaged"] != nil
        }
        let lost = try #require(after["destinations"]?[""]?["damaged"]?.int)
        delivery.say(count + 1, to: server.url(of: "later"))
        delivery.end()
        let arrived = TestServer.numbers(server.requests)
        #expect(Set(arrived).count == arrived.count, "nothing arrives twice")
        #expect(arrived.contains(count + 1))
        #expect(arrived.count < count && arrived.count > count * 3 / 4)
        #expect(arrived.count - 1 + Int(lost) >= count)
        #expect(log.lines.contains { $0.contains("was moved to") })
        #expect(folder.names.filter { $0.hasPrefix("spool.db.damaged-") && !$0.hasSuffix("-wal") }.count == 1)
        // The file that took its place is whole.
        let next = try Delivery(["spool": .string(spool)])
        #expect(try next.ask("stats")["dead"] == .int(0))
        next.end()
    }
}
