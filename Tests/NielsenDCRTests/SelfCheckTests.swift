import Glibc
import PluginKit
import Tally
import TallyTesting
import Testing

/// What the page calls the self-check: a replay that shows the pings as a proxy would.
@Suite struct SelfCheckTests {
    @Test("filtered by nmr, a replay shows each ping with its parameters decoded, and nothing else")
    func pings() throws {
        let run = try VirtualRun(plugins: [Setup.tracker()], sources: [.file(PluginFiles.plugin("nielsen-dcr"))])
            .record { player, run, clock in
                for action in [PlayerAction.load, .play, .firstFrame, .complete] {
                    player.perform(action, on: run)
                    run.pump()
                    clock.advance(to: clock.now() + 1_100_000)
                    run.pump()
                }
            }
        let lines = try Self.output(
            "\(PluginFiles.folder)/tally-replay \(run.archive) --plugins nielsen-dcr,console "
                + "--plugin-dir \(PluginFiles.folder) --set plugins.nielsen-dcr.config.appid=\(Setup.appID) "
                + "--set plugins.console.config.attributes=all --set plugins.console.config.to=stdout "
                + "2>/dev/null | grep nmr"
        )
        #expect(lines.count == 4)
        #expect(lines.filter { $0.contains("GET beacon") && $0.contains("/cgi-bin/gn?prd=dcr") }.count == 2)
        let decoded = lines.filter { $0.contains(" ping ") }
        #expect(decoded.map { $0.contains("at=view") } == [true, false])
        #expect(decoded.allSatisfy { $0.contains("tl=Synthetic") && $0.contains("c13=asid,\(Setup.appID)") })
        #expect(decoded.last?.contains("c27=cln,1 ") == true)
    }

    private static func output(_ command: String) throws -> [String] {
        let pipe = try unsafe #require(unsafe popen(command, "re"), "the shell cannot be started")
        defer { unsafe pclose(pipe) }
        var bytes: [UInt8] = []
        var character = unsafe getc(pipe)
        while character != EOF {
            bytes.append(UInt8(truncatingIfNeeded: character))
            character = unsafe getc(pipe)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
