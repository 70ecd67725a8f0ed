internal import ChildPrograms
internal import Glibc
internal import Testing
internal import TextEncoding

/// The status and the keys on a real terminal.
struct KeyboardTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    private var archive: String { folder.file("run.tally") }

    private func start(_ arguments: [String]) async throws -> TerminalProcess {
        let player = try TerminalProcess(arguments + ["--archive", archive])
        #expect(await player.wait { !player.isOrdinary })
        return player
    }

    /// Starts a player that plays nothing, and waits until its source has failed.
    private func startWithoutSource(_ options: [String] = []) async throws -> TerminalProcess {
        let player = try await start(ChildProgram.unreachable + options)
        #expect(await player.wait { (try? TestFile.text(archive))?.contains("player_error") ?? false })
        return player
    }

    @Test("Keys command the player, and the status shows title, playhead, rendition and what plugins did")
    func keys() async throws {
        let player = try await start([
            media.clip, media.clip, "--repeat", "20", "--plugins", "example-c,discard",
        ])
        #expect(await player.wait { player.text.contains("Test card  0:") }, "\(player.text)")
        #expect(player.text.contains("180p"))
        player.type(" ")
        #expect(await player.wait { player.text.contains("paused") })
        player.type("m\u{1B}[A\u{1B}[Bf")
        #expect(await player.wait { player.text.contains("muted") })
        player.type("\u{1B}[D")
        #expect(await player.wait { player.text.contains("discard ") })
        #expect(
            await player.wait { (try? TestFile.text(archive))?.contains("seek_complete") ?? false }
        )
        player.type(" n")
        player.type("?")
        #expect(await player.wait { player.text.contains("keys: space pauses") })
        player.type("q")
        #expect(await player.end() == 0, "\(player.text)")
        #expect(player.isOrdinary)
        #expect(!player.text.contains("?\r\n"))
        let run = try RecordedRun(archive)
        #expect(run.event("pause") != nil)
        #expect(run.event("seek_start")?.attribute("seek_to_ms") == .int(0))
        #expect(run.lines.contains { $0.state("muted") == true })
        #expect(run.lines.contains { $0.state("volume_milli") == .int(900) })
        #expect(run.lines.contains { $0.state("fullscreen") == true })
        #expect(run.events("video_load").count >= 2)
        #expect(run.end == "drained")
    }

    @Test(
        "The terminal is put back whatever ends the program",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGUSR1]
    )
    func signals(number: Int32) async throws {
        let player = try await startWithoutSource()
        player.send(number)
        let isGraceful = [SIGINT, SIGTERM, SIGHUP].contains(number)
        #expect(await player.end() == (isGraceful ? 69 : -number), "\(player.text)")
        #expect(player.isOrdinary)
    }

    @Test("The terminal is put back at a second interrupt")
    func impatience() async throws {
        let plugins = try PluginFolder(fixtures: ["slow-reporter"], plugins: ["example-c"])
        let player = try await startWithoutSource([
            "--plugins", "example-c,slow-reporter", "--plugin-dir", plugins.path,
            "--set", "plugins.slow-reporter.config.milliseconds=60000",
        ])
        // The terminal turns the key into the signal; one that comes before the first was taken is not a second one.
        var code: Int32?
        for _ in 0..<1000 where code == nil {
            player.type("\u{03}")
            try await Task.sleep(for: .milliseconds(20))
            code = player.endNow()
        }
        #expect(code == 130, "\(player.text)")
        #expect(player.isOrdinary)
    }

    @Test("While the program is halted the terminal is the shell's, and its own when it goes on")
    func halt() async throws {
        let player = try await startWithoutSource()
        player.send(SIGTSTP)
        #expect(await player.waitUntilHalted())
        #expect(player.isOrdinary)
        player.send(SIGCONT)
        #expect(await player.wait { !player.isOrdinary })
        player.type("q")
        #expect(await player.end() == 69, "\(player.text)")
        #expect(player.isOrdinary)
    }
}
