import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// Ends by signals; how a playback ends by an interrupt is in `SleepTests`.
struct SignalTests {
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
