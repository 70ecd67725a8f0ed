import ChildPrograms
import Database
import LoopbackServer
import PluginKit
import TallyTesting
import TestFiles
import Testing

/// A spool that is not empty when its runs and sessions come again.
@Suite("The reporter http goes on with the run of an earlier process")
struct EarlierProcessTests {
    private let folder = TemporaryFolder()

    private var spool: JSONValue { .string(folder.file("spool.db")) }

    /// Leaves so many beacons in the spool, of session 1 of the run, which no server was there for.
    private func leave(_ count: UInt64, for port: UInt16) throws {
        let first = try HandFedReporter(["spool": spool])
        first.deliver(1...count, to: "http://127.0.0.1:\(port)/x")
        #expect(first.ask("checkpoint") == .object([:]))
        first.end()
    }

    @Test(
        "Answers to its beacons settle none of this process, neither committed ones nor others",
        arguments: ["sent", "committed"]
    )
    func answeredAtOnce(settled: String) async throws {
        let port = try TestServer.freePort()
        let left: UInt64 = 60
        try leave(left, for: port)
        let server = try TestServer.start([], port: port)
        // Answers come between the taking of a beacon and its commit, as with a server that answers at once.
        let second = try HandFedReporter([
            "spool": spool, "concurrency": 1, "commit_ms": 100, "settled": .string(settled), "drain_ms": 300_000,
        ])
        var next = left + 1
        while next < left + 60 {
            let answered = server.requests.count
            second.deliver(next...next, to: server.url(of: "x"))
            #expect(server.waitForRequests { $0.count > answered + 1 || $0.count >= left })
            second.deliver(next + 1...next + 2, to: server.url(of: "x"))
            next += 3
        }
        let flush = second.flush(session: 1)
        let answer = await eventually {
            second.answer(to: flush)
        } until: {
            $0 != nil
        }
        #expect(answer?.dropped == 0)
        if settled == "sent" { #expect(answer?.delivered == next - 1) }
        second.end()
        #expect(TestServer.numbers(server.requests).sorted() == Array(1...Int(next - 1)))
    }

    @Test("Who waits for a session is answered when the beacons of this process are, whatever an earlier one left")
    func waitsForItsOwn() async throws {
        let port = try TestServer.freePort()
        try leave(5, for: port)
        let server = try TestServer.start([])
        // Nobody listens where the earlier beacons go.
        let second = try HandFedReporter(["spool": spool])
        second.deliver(6...8, to: server.url(of: "x"), destination: "other")
        let flush = second.flush(session: 1)
        let answer = await eventually {
            second.answer(to: flush)
        } until: {
            $0 != nil
        }
        #expect(answer == FakeHost.FlushAnswer(token: flush, delivered: 3))
        second.end()
    }

    @Test("Beacons that come again in a replay, and dead letters that are sent again, settle nothing else")
    func again() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("/refused"), Faults(status: 400), limit: 2)])
        let reporter = try HandFedReporter(["spool": spool])
        reporter.deliver(1...2, to: server.url(of: "refused"))
        _ = await eventually {
            reporter.ask("stats")["dead"]
        } until: {
            $0 == .int(2)
        }
        #expect(reporter.ask("resend")["resent"] == .int(2))
        reporter.deliver(1...6, to: server.url(of: "x"))
        let flush = reporter.flush(session: 1)
        let answer = await eventually {
            reporter.answer(to: flush)
        } until: {
            $0 != nil
        }
        #expect(answer?.kept == 0)
        #expect(server.waitForRequests { $0.count >= 8 })
        reporter.deliver(7...8, to: server.url(of: "x"))
        #expect(server.waitForRequests { $0.count >= 10 })
        reporter.end()
        #expect(TestServer.numbers(server.requests).sorted() == [1, 1, 2, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("Numbers in a row that no reporter wrote are left out, and end no program")
    func oddNumbers() throws {
        let port = try TestServer.freePort()
        try leave(3, for: port)
        try Database(path: folder.file("spool.db")).run(
            "UPDATE beacons SET patches = '1,3,\(Int.max),0;1,1,13,\(Int.max);1,3,-1,0;1,2,10,-1;', due = \(Int64.min), "
                + "size = \(Int64.max)"
        )
        let server = try TestServer.start([], port: port)
        let second = try HandFedReporter(["spool": spool, "drain_ms": 300_000])
        second.end()
        #expect(TestServer.numbers(server.requests).sorted() == [1, 2, 3])
    }

    @Test("What is erased is waited for no more, also what waits in the spool alone")
    func erased() async throws {
        let port = try TestServer.freePort()
        let reporter = try HandFedReporter(["spool": spool])
        // More than what is in memory of a destination.
        for first in stride(from: 1, to: 1_000, by: 100) as StrideTo<UInt64> {
            reporter.deliver(first...first + 99, to: "http://127.0.0.1:\(port)/x")
        }
        #expect(reporter.ask("checkpoint") == .object([:]))
        let flush = reporter.flush(session: 1)
        #expect(reporter.ask("erase", ["run": "run-1"])["erased"] == .int(1_000))
        let answer = await eventually {
            reporter.answer(to: flush)
        } until: {
            $0 != nil
        }
        #expect(answer == FakeHost.FlushAnswer(token: flush, delivered: 0, dropped: 1_000))
        reporter.end()
    }
}
