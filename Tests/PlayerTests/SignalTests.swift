import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// Ends by signals, and by a reader that goes away.
struct SignalTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("An interrupt ends the run gracefully, with a complete archive and notes without a terminal's codes")
    func graceful() async throws {
        let archive = folder.file("run.tally")
        let player = try ChildProgram.player([media.clip, "--archive", archive, "--plugins", "example-c,discard"])
        #expect(await player.says("playing"))
        player.send(SIGINT)
        let result = try await player.outcome()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("ended early"))
        #expect(result.errors.contains("tally-player: playing"))
        #expect(!result.errors.contains("\u{1B}"))
        let run = try RecordedRun(archive)
        #expect(run.names.suffix(2) == ["video_unload", "application_terminated"])
        #expect(run.event("complete") == nil)
        #expect(run.end == "drained")
    }

    @Test("A second interrupt ends the program at once")
    func impatient() async throws {
        let plugins = try PluginFolder(fixtures: ["slow-reporter"], plugins: ["example-c"])
        let player = try ChildProgram.player(
            ChildProgram.unreachable + [
                "--plugins", "example-c,slow-reporter", "--plugin-dir", plugins.path,
                "--set", "plugins.slow-reporter.config.milliseconds=60000",
            ]
        )
        #expect(await player.isWaitingForSource())
        player.send(SIGINT)
        #expect(await player.says("ending: a signal asks for it"))
        player.send(SIGINT)
        #expect(try await player.outcome().code == 130)
    }
}
