import ChildPrograms
import LoopbackServer
import PluginKit
import Tally
import TestFiles
import Testing

/// What is erased is gone: from the spool's files to the last byte, and from what is sent.
@Suite("The reporter http erases")
struct ErasureTests {
    @Test(
        "No byte of an erased run is in the file or the log beside it, neither of what waited nor of what was delivered"
    )
    func noByteLeft() async throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let server = try TestServer.start()
        // The session's end does not wait for what cannot be sent.
        let delivery = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        for number in 1...300 {
            delivery.say(number, to: server.url(of: "secret-delivered-\(number)?\(String(repeating: "d", count: 300))"))
            delivery.say(
                number,
                to: "http://127.0.0.1:1/secret-waiting-\(number)?\(String(repeating: "w", count: 300))"
            ) {
                $0.set("destination", "dead")
            }
        }
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["waiting"] == .int(300) && $0["destinations"]?["test"]?["delivered"] == .int(300)
        }
        #expect(stats["waiting"] == .int(300))
        #expect(FileBytes.contain("secret-waiting", inSpool: spool))
        let answer = try delivery.ask("erase", ["run": .string(delivery.run.id)])
        #expect(answer == ["erased": 300])
        #expect(!FileBytes.contain("secret-", inSpool: spool))
        #expect(try delivery.ask("stats")["destinations"]?["dead"]?["erased"] == .int(300))
        // What comes after that is kept as before.
        delivery.say(1, to: "http://127.0.0.1:1/later") { $0.set("destination", "dead") }
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 1
        }
        delivery.end()
        #expect(!FileBytes.contain("secret-", inSpool: spool))
        #expect(FileBytes.contain("later", inSpool: spool))
    }

    @Test("Erasing one session leaves the others of its run")
    func session() async throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let delivery = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        delivery.say(1, to: "http://127.0.0.1:1/first-session")
        delivery.run.trackVideoUnload()
        delivery.run.trackVideoLoad()
        delivery.say(2, to: "http://127.0.0.1:1/second-session")
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 2
        }
        #expect(try delivery.ask("erase", ["run": .string(delivery.run.id), "session": 1])["erased"] == .int(1))
        #expect(!FileBytes.contain("first-session", inSpool: spool))
        #expect(FileBytes.contain("second-session", inSpool: spool))
        delivery.end()
    }

    @Test("A beacon that was erased while it was under way does not come back when its attempt fails")
    func underWay() async throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let server = try TestServer.start([
            FaultRule(PathPattern("/hangs"), Faults(latencyMilliseconds: 1_500, status: 500))
        ])
        let delivery = try Delivery(["spool": .string(spool), "drain_ms": 0])
        delivery.say(1, to: server.url(of: "hangs"))
        #expect(server.waitForRequests { $0.count == 1 })
        #expect(try delivery.ask("erase", ["run": .string(delivery.run.id)])["erased"] == .int(1))
        // Answered behind the one that hangs, which is tried again after some 10 ms when it is not forgotten.
        _ = try await eventually {
            try delivery.ask("stats")["destinations"]?["test"]?["under_way"]?.int ?? 0
        } until: {
            $0 == 0
        }
        delivery.say(2, to: server.url(of: "last")) { $0.set("options", Int64(8)) }
        #expect(server.waitForRequests { $0.contains { $0.path == "/last" } })
        #expect(server.requests.filter { $0.path == "/hangs" }.count == 1)
        #expect(try delivery.ask("stats")["dead"] == .int(0))
        delivery.end()
        #expect(!FileBytes.contain("hangs", inSpool: spool))
    }

    @Test("A replay does not bring back what was erased: its beacons count as taken")
    func staysErased() async throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let delivery = try Delivery(["spool": .string(spool), "drain_ms": 0])
        delivery.say(1, to: "http://127.0.0.1:1/gone")
        _ = try await eventually {
            try delivery.ask("stats")["waiting"]?.int ?? 0
        } until: {
            $0 == 1
        }
        _ = try delivery.ask("erase", ["run": .string(delivery.run.id)])
        delivery.end()
        let again = try Delivery(["spool": .string(spool), "drain_ms": 0])
        #expect(try again.ask("erase", ["run": .string(delivery.run.id)])["erased"] == .int(0))
        again.end()
        #expect(FileBytes.contain(delivery.run.id, inSpool: spool))
    }
}
