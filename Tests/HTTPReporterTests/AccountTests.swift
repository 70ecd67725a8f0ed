import ChildPrograms
import Database
import LoopbackServer
import PluginKit
import TallyTesting
import TestFiles
import Testing

/// The lasting counts of a spool.
@Suite("The reporter http accounts for every beacon")
struct AccountTests {
    private let folder = TemporaryFolder()

    /// A count of the spool, of all destinations together.
    private func count(_ name: String) throws -> Int64 {
        try Database(path: folder.file("spool.db"))
            .number("SELECT coalesce(sum(count), 0) FROM counts WHERE name = '\(name)'")
    }

    private func delivered(_ number: Int64, to destination: String, _ reporter: HandFedReporter) async {
        _ = await eventually {
            reporter.ask("stats")["destinations"]?[destination]?["delivered"]
        } until: {
            $0 == .int(number)
        }
    }

    @Test("What was taken or sent again is delivered, waits, or was given up with a reason, and nothing is left over")
    func exact() async throws {
        let server = try TestServer.start([
            FaultRule(PathPattern("/refused"), Faults(status: 403), limit: 7),
            FaultRule(PathPattern("/fails"), Faults(status: 500)),
        ])
        let nowhere = "http://127.0.0.1:\(try TestServer.freePort())/x"
        let configuration: JSONObject = [
            "spool": .string(folder.file("spool.db")), "largest_mib": 1,
            "retry": ["first_ms": 1, "longest_ms": 1, "attempts": 2],
        ]
        var reporter = try HandFedReporter(configuration)
        reporter.deliver(1...10, to: server.url(of: "x"))
        reporter.deliver(11...17, to: server.url(of: "refused"), destination: "refuses")
        reporter.deliver(18...20, to: server.url(of: "fails"), destination: "fails")
        // They come again, as in a replay.
        reporter.deliver(5...12, to: server.url(of: "x"))
        let stats = await eventually {
            reporter.ask("stats")
        } until: {
            $0["dead"] == .int(10) && $0["waiting"] == .int(0)
        }
        #expect(stats["destinations"]?["refuses"]?["taken"] == .int(7))
        #expect(reporter.ask("resend", ["destination": "refuses"])["resent"] == .int(7))
        // What waits is evicted by what comes now.
        await delivered(7, to: "refuses", reporter)
        reporter.deliver(21...220, to: nowhere, destination: "large") {
            $0.credential = "none"
            $0.body = [UInt8](repeating: 0x62, count: 12_000)
        }
        reporter.deliver(221...230, to: nowhere, session: 2, destination: "erased") { $0.credential = "none" }
        #expect(reporter.ask("checkpoint") == .object([:]))
        #expect(reporter.ask("erase", ["run": "run-1", "session": 2])["erased"] == .int(10))
        reporter.end()
        reporter = try HandFedReporter(configuration)
        reporter.deliver(231...232, to: server.url(of: "x"))
        await delivered(12, to: "test", reporter)
        reporter.end()

        #expect(try count("taken") == 232 && count("resent") == 7)
        #expect(try count("delivered") == 19 && count("refused") == 7 && count("attempts") == 3)
        let database = try Database(path: folder.file("spool.db"))
        let waiting = try database.number("SELECT count(*) FROM beacons")
        #expect(try count("evicted") + waiting == 200 && count("evicted") > 100 && count("erased") == 10)
        #expect(try database.number("SELECT count(*) FROM unaccounted") == 0)
    }

    @Test("What was answered is committed before the reporter ends, whatever is under way then, and the totals add up")
    func ended() async throws {
        let server = try TestServer.start()
        let hanging = try TestServer.start([FaultRule(PathPattern("*"), Faults(stallAfter: 0))])
        let configuration: JSONObject = [
            "spool": .string(folder.file("spool.db")), "commit_ms": 500, "timeout_ms": 600_000,
        ]
        var reporter = try HandFedReporter(configuration)
        reporter.deliver(1...9, to: server.url(of: "x"))
        reporter.deliver(10...10, to: hanging.url(of: "x"), session: 2, destination: "hangs")
        #expect(hanging.waitForRequests { $0.count == 1 })
        // The answers are here then, and wait for their commit.
        let flush = reporter.flush(session: 1)
        _ = await eventually {
            reporter.answer(to: flush)
        } until: {
            $0 != nil
        }
        var totals: JSONValue = [
            "found": 0, "taken": 10, "resent": 0, "delivered": 9, "waiting": 1, "dead": 0, "given_up": [:], "lost": 0,
        ]
        #expect(reporter.end() == totals)
        let waiting = try Database(path: folder.file("spool.db")).number("SELECT sum(ordinal) FROM beacons")
        #expect(waiting == 10)
        #expect(try count("delivered") == 9 && count("tries") == 9)

        // What is cut may arrive twice, and nothing else.
        reporter = try HandFedReporter(configuration)
        reporter.deliver(11...11, to: server.url(of: "x"))
        await delivered(10, to: "test", reporter)
        totals = [
            "found": 1, "taken": 1, "resent": 0, "delivered": 1, "waiting": 1, "dead": 0, "given_up": [:], "lost": 0,
        ]
        #expect(reporter.end() == totals)
        #expect(TestServer.numbers(server.requests).sorted() == Array(1...9) + [11])
    }

    @Test("An answer for which the end of the reporter waited is committed")
    func lastAnswer() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(latencyMilliseconds: 100, status: 200))])
        // On a busy machine an answer may come after its second, and is cut.
        for round in 1...30 {
            let spool = folder.file("spool-\(round).db")
            let reporter = try HandFedReporter(["spool": .string(spool), "commit_ms": 500])
            reporter.deliver(1...1, to: server.url(of: "x"))
            _ = await eventually {
                reporter.ask("stats")["destinations"]?["test"]
            } until: {
                $0?["under_way"] == 1 || $0?["delivered"] == 1
            }
            guard reporter.end()["delivered"] == 1 else { continue }
            #expect(try Database(path: spool).number("SELECT count(*) FROM beacons") == 0)
            return
        }
        Issue.record("no answer was committed")
    }

    @Test("Without a spool what waits at the end is given up, with a reason of its own")
    func gone() throws {
        let reporter = try HandFedReporter(["tolerated": ["offline"]])
        reporter.deliver(1...3, to: "http://127.0.0.1:1/x")
        #expect(
            reporter.end() == [
                "found": 0, "taken": 3, "resent": 0, "delivered": 0, "waiting": 0, "dead": 0, "given_up": ["gone": 3],
                "lost": 3,
            ]
        )
    }
}
