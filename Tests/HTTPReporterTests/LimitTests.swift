import ChildPrograms
import LoopbackServer
import PluginKit
import Tally
import TestFiles
import Testing

/// What the reporter keeps to: ages, sizes, times that servers ask for, and one program a spool.
@Suite("The reporter http keeps to its limits")
struct LimitTests {
    @Test("A beacon that is older than it may be is given up and counted, by its own limit or the reporter's")
    func expired() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: 500))])
        let delivery = try Delivery(["retry": ["first_ms": 50, "longest_ms": 100, "age_s": 2], "drain_ms": 0])
        delivery.say(1, to: server.url(of: "x")) {
            $0.set("destination", "own")
            $0.set("age", Int64(1))
        }
        delivery.say(2, to: server.url(of: "x")) { $0.set("destination", "reporter") }
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["dead"] == .int(2)
        }
        #expect(stats["destinations"]?["own"]?["expired"] == .int(1))
        #expect(stats["destinations"]?["reporter"]?["expired"] == .int(1))
        let letters = try delivery.ask("dead_letters").array ?? []
        #expect(letters.last?["destination"] == .string("own"), "the shorter limit comes first")
        delivery.end()
    }

    @Test("Dead letters take at most a quarter of the spool; the oldest make way")
    func deadLetters() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: 400))])
        let delivery = try Delivery(["largest_mib": 1, "drain_ms": 0])
        let body = String(repeating: "b", count: 12_000)
        for _ in 1...60 {
            delivery.run.trackCustomEvent("beacon") { event in
                event.set("url", server.url(of: "e"))
                event.set("body", body)
            }
        }
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["destinations"]?["test"]?["refused"] == .int(60)
        }
        let dead = try #require(stats["dead"]?.int)
        #expect(dead >= 15 && dead * 12_000 <= 1 << 18)
        let letters = try delivery.ask("dead_letters").array ?? []
        // Of four requests at a time one may be answered when many behind it are: all but a few are the last ones.
        let last = letters.compactMap { $0["n"]?.int }.filter { $0 > 60 - dead - 4 }
        #expect(last.count >= Int(dead) - 8)
        delivery.end()
    }

    @Test("A destination is left alone for as long as the server asks for")
    func retryAfter() async throws {
        let server = try TestServer.start([
            FaultRule(PathPattern("*"), Faults(status: 503, retryAfterSeconds: 1), limit: 1)
        ])
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "first")) { $0.set("patched", true) }
        // Only what comes behind the answer can keep to it.
        let answer = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["destinations"]?["test"]?["last_failure"] != nil
        }
        let failure = answer["destinations"]?["test"]?["last_failure"]
        #expect(failure == "status 503, which asks to wait 1 s")
        delivery.say(2, to: server.url(of: "second")) { $0.set("patched", true) }
        delivery.end()
        let times = server.requests.compactMap { request in
            request.query.flatMap { Int64($0.dropFirst(3).prefix(13)) }
        }
        #expect(times.count == 3)
        #expect(times.dropFirst().allSatisfy { $0 >= times[0] + 1_000 })
    }

    @Test("What a server asked for holds when something that was under way is taken meanwhile")
    func retryAfterBesideSuccess() async throws {
        let server = try TestServer.start([
            FaultRule(PathPattern("*/busy"), Faults(status: 429, retryAfterSeconds: 2), limit: 1),
            FaultRule(PathPattern("*/slow"), Faults(latencyMilliseconds: 400, status: 200)),
        ])
        let delivery = try Delivery(["commit_ms": 20])
        // The server answers one after the other: the second is under way when the first is answered.
        delivery.say(1, to: server.url(of: "busy")) { $0.set("patched", true) }
        delivery.say(2, to: server.url(of: "slow")) { $0.set("patched", true) }
        _ = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["destinations"]?["test"]?["delivered"] == 1
        }
        delivery.say(3, to: server.url(of: "third")) { $0.set("patched", true) }
        delivery.end()
        func times(_ path: String) -> [Int64] {
            server.requests.filter { $0.path.hasSuffix(path) }.compactMap { request in
                request.query.flatMap { Int64($0.dropFirst(3).prefix(13)) }
            }
        }
        let (busy, third) = (times("busy"), times("third"))
        #expect(busy.count == 2 && third.count == 1)
        #expect((busy.dropFirst() + third).allSatisfy { $0 >= busy[0] + 2_000 })
    }

    @Test("Order is kept through failures and a restart where the beacons demand it")
    func order() throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let port = try TestServer.freePort()
        let first = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        for number in 1...40 {
            first.say(number, to: "http://127.0.0.1:\(port)/n\(number % 5)") { $0.set("options", Int64(8)) }
        }
        first.end()
        let server = try TestServer.start(
            [
                FaultRule(PathPattern("/n3"), Faults(status: 500), limit: 3),
                FaultRule(PathPattern("/n1"), Faults(cutAfter: 0), limit: 2),
            ],
            port: port
        )
        let second = try Delivery(["spool": .string(spool)])
        #expect(server.waitForRequests { $0.count >= 45 })
        second.end()
        var order: [Int] = []
        for number in TestServer.numbers(server.requests) where order.last != number {
            order.append(number)
        }
        #expect(order == Array(1...40))
    }

    @Test("A second program that wants the same spool is told so")
    func onlyOne() throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let first = try Delivery(["spool": .string(spool)])
        #expect {
            _ = try Delivery(["spool": .string(spool)])
        } throws: { error in
            "\(error)".contains("another program uses it")
        }
        first.end()
        let second = try Delivery(["spool": .string(spool)])
        second.end()
    }

    @Test("Nobody but its owner can read a spool, nor the files beside it")
    func modes() async throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let delivery = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        delivery.say(1, to: "http://127.0.0.1:1/x")
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 1
        }
        #expect(FileBytes.mode(spool) == 0o600)
        #expect(FileBytes.mode(spool + "-wal") == 0o600)
        delivery.end()
    }

    @Test("Without a spool, what was not sent at the end is told, and not called kept")
    func gone() throws {
        let log = LogBook()
        let delivery = try Delivery(["drain_ms": 0, "settled": "committed"], log: log)
        for number in 1...3 {
            delivery.say(number, to: "http://127.0.0.1:1/x")
        }
        delivery.end()
        #expect(log.lines.contains { $0.contains("3 beacons were not sent and are gone") && $0.contains("\"spool\"") })
        let folder = TemporaryFolder()
        let kept = LogBook()
        let other = try Delivery(
            ["drain_ms": 0, "settled": "committed", "spool": .string(folder.file("spool.db"))],
            log: kept
        )
        other.say(1, to: "http://127.0.0.1:1/x")
        other.end()
        #expect(!kept.lines.contains { $0.contains("gone") })
    }

    @Test("In quiet mode nothing is sent or kept, and nobody waits")
    func quiet() throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let server = try TestServer.start()
        let delivery = try Delivery(["spool": .string(spool), "quiet": true])
        delivery.say(1, to: server.url(of: "x"))
        delivery.end()
        #expect(server.requests.isEmpty && !FileBytes.contain("SQLite", in: spool))
    }

    @Test("A proxy's password is refused in the configuration, and not repeated")
    func proxyPassword() throws {
        #expect {
            _ = try Delivery(["proxy": "http://name:planted-password@127.0.0.1:3128"])
        } throws: { error in
            "\(error)".contains("https_proxy") && !"\(error)".contains("planted-password")
        }
    }
}
