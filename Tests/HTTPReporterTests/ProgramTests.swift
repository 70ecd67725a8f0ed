import ChildPrograms
import Glibc
import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import TestFiles
import Testing

/// The reporter in a program of its own.
@Suite("The reporter http in tally-replay")
struct ProgramTests {
    private let folder = TemporaryFolder()
    private let archive: String

    /// Makes an archive with three sessions, of each of which the example tracker says a beacon.
    init() throws {
        archive = folder.file("run.tally")
        let run = try VirtualRun(
            plugins: [PluginSelection("org.tally.example.swift", name: "swift")],
            sources: [.file(PluginFiles.plugin("example-swift"))]
        ).record { player, run, clock in
            for _ in 1...3 {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(.unload, on: run)
                run.pump()
            }
        }
        #expect(unsafe rename(run.archive, archive) == 0)
    }

    private func replay(to url: String, _ more: [String]) throws -> ChildProgram {
        try ChildProgram(
            "tally-replay",
            [
                archive, "--plugin-dir", PluginFiles.folder, "--plugins", "example-swift,http",
                "--set", "plugins.example-swift.config.url=\"\(url)\"",
                "--set", "plugins.http.config.spool=\"\(folder.file("spool.db"))\"",
            ] + more,
            output: folder.file("log"),
            joined: true
        )
    }

    private var said: String {
        guard let file = unsafe fopen(folder.file("log"), "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("A program that wants the spool of another one says so and sends nothing; when that has ended it can have it")
    func oneProgram() async throws {
        let server = try TestServer.start()
        let holder = try Delivery(["spool": .string(folder.file("spool.db"))])
        let refused = try await replay(to: server.url(of: "x"), []).end()
        #expect(refused == 70 || refused == 73 || refused == 78, "\(refused)")
        #expect(said.contains("another program uses it") && said.contains("spool.db"), "\(said)")
        #expect(server.requests.isEmpty)
        holder.end()
        #expect(try await replay(to: server.url(of: "x"), []).end() == 0, "\(said)")
        #expect(server.requests.count == 3)
    }

    @Test("A reporter that still sends at the end is waited for, however short the host's patience is")
    func patience() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(latencyMilliseconds: 1_700, status: 200))]
        )
        let code = try await replay(
            to: server.url(of: "slow"),
            ["--patience", "1", "--set", "plugins.http.config.drain_ms=60000"]
        ).end()
        #expect(code == 0, "\(said)")
        #expect(server.requests.count == 3)
    }
}
