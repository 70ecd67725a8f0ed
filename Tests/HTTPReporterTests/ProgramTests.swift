import ChildPrograms
import LoopbackServer
import PluginKit
import Testing

/// The reporter in a program of its own.
@Suite("The reporter http in tally-replay")
struct ProgramTests {
    private let replay: DeliveringProgram

    init() throws { replay = try DeliveringProgram() }

    @Test("A program that wants the spool of another one says so and sends nothing; when that has ended it can have it")
    func oneProgram() async throws {
        let server = try TestServer.start()
        let holder = try Delivery(["spool": .string(replay.spool)])
        let refused = try await replay.start(to: server.url(of: "x")).end()
        #expect(refused == 70 || refused == 73 || refused == 78, "\(refused)")
        #expect(replay.said.contains("another program uses it") && replay.said.contains("spool.db"), "\(replay.said)")
        #expect(server.requests.isEmpty)
        holder.end()
        #expect(try await replay.start(to: server.url(of: "x")).end() == 0, "\(replay.said)")
        #expect(server.requests.count == 3)
    }

    @Test("A reporter that still sends at the end is waited for, however short the host's patience is")
    func patience() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(latencyMilliseconds: 1_700, status: 200))]
        )
        let code = try await replay.start(to: server.url(of: "slow"), ["drain_ms": "60000"], ["--patience", "1"]).end()
        #expect(code == 0, "\(replay.said)")
        #expect(server.requests.count == 3)
    }
}
