import ChildPrograms
import LoopbackServer
import TallyTesting
import Testing

/// Commits beside what is sent.
@Suite("The reporter http writes its spool while it sends")
struct CommitTests {
    private let replay: DeliveringProgram
    private let server: LoopbackServer

    init() throws {
        replay = try DeliveringProgram(sessions: 300)
        server = try TestServer.start([FaultRule(PathPattern("*"), Faults(latencyMilliseconds: 4, status: 200))])
    }

    private func start(commit: Int, _ more: [String] = []) throws -> ChildProgram {
        try replay.start(
            to: server.url(of: "x"),
            ["concurrency": "1", "commit_ms": "\(commit)", "drain_ms": "600000"],
            more,
            environment: replay.diskEnvironment
        )
    }

    @Test("A disk that does not answer holds up nothing that is safely in the spool")
    func held() async throws {
        // All are taken by the first commit; the second one is about what was delivered.
        let program = try start(commit: 500)
        #expect(server.waitForRequests { $0.count >= 1 })
        replay.begin(.hold)
        #expect(server.waitForRequests { $0.count == 300 })
        replay.end(.hold)
        #expect(try await program.end() == 0, "\(replay.said)")
        #expect(server.requests.count == 300)
        #expect(try replay.count("delivered") == 300)
    }

    @Test("What a full disk does not take is written when there is room, and delivered once")
    func full() async throws {
        let program = try start(commit: 5, ["--rate", "500"])
        #expect(server.waitForRequests { $0.count >= 5 })
        replay.begin(.full)
        #expect(await eventually { replay.said.contains("nothing is lost, what was taken waits in memory") })
        replay.end(.full)
        #expect(try await program.end() == 0, "\(replay.said)")
        #expect(replay.said.contains("the spool can be written again"), "\(replay.said)")
        #expect(server.requests.count == 300, "\(replay.said)")
        #expect(try replay.count("taken") == 300 && replay.count("delivered") == 300)
    }
}
