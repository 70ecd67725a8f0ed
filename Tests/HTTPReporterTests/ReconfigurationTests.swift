import ChildPrograms
import Database
import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import TestFiles
import Testing

/// The reporter gets another configuration while it sends.
@Suite("The reporter http is configured while it runs")
struct ReconfigurationTests {
    @Test("Quiet mode can begin and end: what comes meanwhile is not kept, what waited goes on behind it")
    func quiet() async throws {
        let folder = TemporaryFolder()
        let spool: JSONValue = .string(folder.file("spool.db"))
        let port = try TestServer.freePort()
        let delivery = try Delivery(["spool": spool, "settled": "committed"])
        delivery.say(1, to: "http://127.0.0.1:\(port)/first")
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 1
        }
        try delivery.configure(["spool": spool, "settled": "committed", "quiet": true])
        let server = try TestServer.start(port: port)
        delivery.say(2, to: server.url(of: "quiet"))
        _ = delivery.run.plugins()
        #expect(try delivery.ask("stats")["waiting"] == .int(1))
        #expect(server.requests.isEmpty)
        try delivery.configure(["spool": spool])
        delivery.say(3, to: server.url(of: "last"))
        delivery.end()
        #expect(TestServer.numbers(server.requests).sorted() == [1, 3])
    }

    @Test("A reporter that was started quiet opens its spool when it is to send, and says when it cannot")
    func startedQuiet() throws {
        let folder = TemporaryFolder()
        let server = try TestServer.start()
        let delivery = try Delivery(["spool": .string(folder.file("none/spool.db")), "quiet": true])
        delivery.say(1, to: server.url(of: "quiet"))
        let error = #expect(throws: ControlError.self) {
            try delivery.configure(["spool": .string(folder.file("none/spool.db"))])
        }
        #expect(error?.kind == .refused && error?.description.contains("none/spool.db") == true)
        try delivery.configure(["spool": .string(folder.file("spool.db"))])
        delivery.say(2, to: server.url(of: "sent"))
        delivery.end()
        #expect(TestServer.numbers(server.requests) == [2])
    }

    @Test("A credential that comes later is used at once by what waited for it; headers and limits hold from then on")
    func credential() async throws {
        let server = try TestServer.start()
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "x")) { $0.set("credential", "late") }
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 1
        }
        #expect(server.requests.isEmpty)
        let folder = TemporaryFolder()
        try DeliveryTests.write("late-secret\n", to: folder.file("key"), mode: 0o600)
        try delivery.configure([
            "credentials": ["late": ["header": "Api-Key", "file": .string(folder.file("key"))]],
            "idempotency_header": "X-Beacon", "concurrency": 1,
        ])
        #expect(server.waitForRequests { $0.count == 1 })
        #expect(server.requests.first?.header("Api-Key") == "late-secret")
        #expect(server.requests.first?.header("X-Beacon") == "\(delivery.run.id)/beacons/1")
        for number in 2...40 {
            delivery.say(number, to: server.url(of: "x"))
        }
        delivery.end()
        // One at a time: they arrive in order.
        #expect(TestServer.numbers(server.requests) == Array(1...40))
    }

    @Test("What waited for a credential goes at once in a later program that has it; one without it ends at once")
    func laterCredential() async throws {
        let server = try TestServer.start()
        let folder = TemporaryFolder()
        let spool = JSONValue.string(folder.file("spool.db"))
        let first = try HandFedReporter(["spool": spool, "drain_ms": 300_000])
        // More than what is in memory of a destination.
        first.deliver(1...600, to: server.url(of: "x")) { $0.credential = "late" }
        #expect(first.ask("checkpoint") == .object([:]))
        let waiting = await eventually {
            first.ask("stats")["destinations"]?["test"]?["taken"]
        } until: {
            $0 == 600
        }
        #expect(waiting == 600 && first.end()["waiting"] == 600)
        #expect(try Database(path: folder.file("spool.db")).number("SELECT max(due) FROM beacons") == 0)
        try DeliveryTests.write("late-secret\n", to: folder.file("key"), mode: 0o600)
        let second = try HandFedReporter([
            "spool": spool, "credentials": ["late": ["header": "Api-Key", "file": .string(folder.file("key"))]],
        ])
        #expect(server.waitForRequests { $0.count == 600 })
        second.end()
    }

    @Test("A smaller spool makes room at once, the oldest first, and counts what it drops")
    func smaller() async throws {
        let delivery = try Delivery(["drain_ms": 0, "settled": "committed"])
        for number in 1...200 {
            delivery.say(number, to: "http://127.0.0.1:1/\(String(repeating: "x", count: 9_000))")
            // A live run does not wait: what is too much for its queues is dropped.
            if number % 5 == 0 { _ = delivery.run.plugins() }
        }
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 200
        }
        try delivery.configure(["drain_ms": 0, "settled": "committed", "largest_mib": 1])
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["bytes"]?.int ?? .max <= 1 << 20
        }
        let evicted = try #require(stats["destinations"]?["test"]?["evicted"]?.int)
        #expect(evicted > 50 && evicted + (stats["waiting"]?.int ?? 0) == 200)
        delivery.end()
    }

    @Test(
        "What cannot change is refused with the key, and nothing changes",
        arguments: [
            (["spool": "/tmp/other.db"], "spool"), (["proxy": "http://name:word@127.0.0.1:1"], "proxy"),
            (["credentials": ["k": ["header": "K", "environment": "TALLY_TEST_NO_SUCH"]]], "TALLY_TEST_NO_SUCH"),
        ] as [(JSONObject, String)]
    )
    func refused(members: JSONObject, key: String) throws {
        let server = try TestServer.start()
        let delivery = try Delivery()
        let error = #expect(throws: ControlError.self) { try delivery.configure(members) }
        #expect(error?.kind == .refused && error?.description.contains(key) == true, "\(error?.description ?? "")")
        delivery.say(1, to: server.url(of: "x"))
        delivery.end()
        #expect(TestServer.numbers(server.requests) == [1])
    }
}
