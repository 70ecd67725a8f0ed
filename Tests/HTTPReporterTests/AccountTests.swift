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
        reporter.deliver(21...220, to: nowhere, destination: "large") {
            $0.credential = "none"
            $0.body = [UInt8](repeating: 0x62, count: 12_000)
        }
        reporter.deliver(221...230, to: nowhere, session: 2, destination: "erased") { $0.credential = "none" }
        #expect(reporter.ask("checkpoint") == .object([:]))
        #expect(reporter.ask("erase", ["run": "run-1", "session": 2])["erased"] == .int(10))
        await delivered(7, to: "refuses", reporter)
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
}
