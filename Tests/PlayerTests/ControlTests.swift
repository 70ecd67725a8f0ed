import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// The real player under control: by script, over the socket, and by signal.
struct ControlTests {
    private let folder = TemporaryFolder()
    private let media = TestMedia.shared

    private func ctl(_ words: String...) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run(["ctl", "--timeout", "300", "--control", folder.file("socket")] + words)
    }

    /// Starts a player that plays nothing, and waits until its source has failed.
    private func startWithoutSource(_ arguments: String...) async throws -> ChildProgram {
        let player = try ChildProgram.player(ChildProgram.unreachable + arguments)
        #expect(await player.isWaitingForSource())
        return player
    }

    /// What happened in a run by command, in order: to the player, and to plugins.
    private func commanded(_ run: RecordedRun) -> [[String]] {
        let kinds = ["pause", "interruption_start", "interruption_end", "custom", "consent"]
        return [run.names.filter { kinds.contains($0) }, run.names.filter { $0.hasPrefix("plugin_") }]
    }

    @Test("The same commands make the same events, whether a script gives them or a client")
    func sameCommands() async throws {
        let commands = [
            "rate 0.2", "disable example-c", "disable example-c", "plugin disable example-c", "enable example-c",
            "interrupt call", "interrupt end",
            "custom mark shelf=7", "consent out example-c", "mute on", "pin auto", "pause", "play",
        ]
        let simulated = SimulatedPlayer()
        let plugins = try PluginFolder(plugins: ["example-c", "discard"])
        let (scripted, byScript) = try simulated.record(
            [simulated.clip, "--plugins", "example-c,discard"],
            script: (commands + ["stop"]).map { "@1 \($0)\n" }.joined(),
            plugins: plugins.path
        )
        #expect(byScript.code == 0, "\(byScript.errors)")
        #expect(byScript.errors.contains("example-c is disabled already"))

        let controlled = folder.file("controlled.tally")
        let player = try ChildProgram.player([
            media.clip, "--archive", controlled, "--plugins", "example-c,discard", "--control", folder.file("socket"),
            "--repeat", "1000",
        ])
        #expect(await player.says("playing"))
        for command in commands {
            let result = try await ChildProgram.run(
                ["ctl", "--timeout", "300", "--control", folder.file("socket")]
                    + command.split(separator: " ").map(String.init)
            )
            #expect(result.code == 0, "\(command): \(result.errors)")
            if command == "plugin disable example-c" { #expect(result.output == "example-c is disabled already\n") }
        }
        let refused = try await ctl("plugin", "show", "nobody")
        #expect(refused.code == 1 && refused.errors.contains("no plugin has the name \"nobody\""))
        #expect(try await ctl("nonsense").code == 64)
        let listed = try await JSONParser().parse(ctl("--json", "plugin", "list").output)
        #expect(listed["data"]?["plugins"]?.array?.first?["state"]?.string == "enabled")
        let tapped = try await ctl("tap", "events", "name=playhead_sample", "--count", "2").output.split(
            separator: "\n"
        )
        #expect(tapped.count == 2 && tapped.allSatisfy { $0.contains("\"type\":\"playhead_sample\"") })
        #expect(try await ctl("drain").code == 0)
        let stats = try await JSONParser().parse(ctl("stats", "--json").output)
        #expect(stats["data"]?["playback"]?["events"]?.int ?? 0 > 10)
        #expect(try await ctl("quit").code == 0)
        #expect(try await player.outcome().code == 0)
        #expect(try commanded(RecordedRun(controlled)) == commanded(scripted))
        #expect(commanded(scripted).last == ["plugin_disabled", "plugin_enabled"])
        #expect(unsafe access(folder.file("socket"), F_OK) != 0)
        #expect(try await ctl("stats").code == 66)
    }

    @Test("erase deletes what was recorded of the run and what reporters keep of it, and playback goes on")
    func erase() async throws {
        let archive = folder.file("run.tally")
        let spool = folder.file("spool.db")
        let player = try await startWithoutSource(
            "--archive",
            archive,
            "--control",
            folder.file("socket"),
            "--plugins",
            "example-swift,http",
            "--set",
            "plugins.http.config.spool=\"\(spool)\"",
            "--set",
            "plugins.example-swift.config.url=\"http://127.0.0.1:1/watched\""
        )
        let reply = try await JSONParser().parse(ctl("--json", "erase").output)
        // Whether the first beacon is in the spool by now is a matter of time.
        #expect([.int(0), .int(1)].contains(reply["data"]?["reporters"]?["http"]?["erased"]))
        #expect(try await ctl("stats").code == 0)
        #expect(try await ctl("quit").code == 0)
        _ = try await player.outcome()
        #expect(try RecordedRun(archive).events("video_load").isEmpty)
    }

    @Test("Sources, the screen and ads are commanded over the socket too, and what cannot be done is refused")
    func sources() async throws {
        let archive = folder.file("run.tally")
        // It halts in each of the two sources that can be played: it does not end by itself. The places lie so far from
        // each other that one late look at the playhead does not find both behind it.
        let script = folder.write("halt", "0.3 pause\n2.2 pause\n")
        let player = try await startWithoutSource(
            media.clip,
            "--script",
            script,
            "--archive",
            archive,
            "--control",
            folder.file("socket")
        )
        // While it waits for the next try it can be told to go on with another source, or to end.
        let early = try await ctl("pause")
        #expect(early.code == 1 && early.errors.contains("is opened again in a moment"), "\(early.errors)")
        #expect(try await ctl("next").code == 0)
        #expect(await player.says("paused") && player.errors.contains("playing after"))
        for words in [["fullscreen", "on"], ["size", "1280x720"]] {
            #expect(
                try await ChildProgram.run(["ctl", "--timeout", "300", "--control", folder.file("socket")] + words).code
                    == 0
            )
        }
        for (words, text) in [
            (["next"], "there is no next source"), (["skip-ad"], "there is no ad to skip"),
            (["click-ad"], "there is no ad to click on"),
        ] {
            let refused = try await ChildProgram.run(
                ["ctl", "--timeout", "300", "--control", folder.file("socket")] + words
            )
            #expect(refused.code == 1 && refused.errors.contains(text), "\(words)")
        }
        #expect(try await ctl("load", media.clip).code == 0)
        // The next one waits for the engine of the next source, and is not refused.
        #expect(try await ctl("interrupt", "call").code == 0)
        let stats = try await JSONParser().parse(ctl("stats", "--json").output)
        #expect(stats["data"]?["playback"]?["items"] == .int(3))
        let stop = try await ctl("stop")
        #expect(stop.code == 0, "\(stop.errors) \(player.errors)")
        // The first source decides, which could not be played.
        #expect(try await player.outcome().code == 69)
        let run = try RecordedRun(archive)
        #expect(run.events("video_load").count == 3 && run.events("video_unload").count == 3)
        let last = try #require(run.names.lastIndex(of: "video_load"))
        #expect(run.names.lastIndex(of: "interruption_start") ?? 0 > last)
        #expect(run.lines.contains { $0.state("player_width")?.int == 1280 })
    }

    @Test("SIGHUP reads the configuration again: what differs is applied, and a wrong file changes nothing")
    func reload() async throws {
        let archive = folder.file("run.tally")
        let config = folder.write("tally.json5", "{plugins: {'example-c': {}, discard: {}}}")
        let player = try await startWithoutSource("--config", config, "--archive", archive)
        _ = folder.write("tally.json5", "{plugins: {'example-c': {enabled: 1}}}")
        player.send(SIGHUP)
        #expect(await player.says("warning: nothing was changed: \(config):1:"))
        _ = folder.write("tally.json5", "{plugins: {'example-c': {enabled: false}, discard: {}}, archive: 'x'}")
        player.send(SIGHUP)
        #expect(
            await player.says(
                "the configuration was read again: example-c disabled; counts at the next start: archive"
            )
        )
        player.send(SIGTERM)
        #expect(try await player.outcome().code == 69)
        let run = try RecordedRun(archive)
        #expect(run.names.filter { $0.hasPrefix("plugin_") } == ["plugin_disabled"])
        #expect(run.event("plugin_disabled")?.attribute("cause")?.string == "configuration")
    }

    @Test("A control socket that another program has ends the player before it plays")
    func inUse() async throws {
        let first = try await startWithoutSource("--control", folder.file("socket"))
        let second = try await ChildProgram.run(ChildProgram.unreachable + ["--control", folder.file("socket")])
        #expect(second.code == 73)
        #expect(second.errors.contains("another program listens on this control socket"))
        #expect(try await ctl("stop").code == 0)
        #expect(try await first.outcome().code == 69)
    }

    @Test("Both programs list plugins with their states, without a run", arguments: ["tally-player", "tally-replay"])
    func listing(program: String) async throws {
        let plugins = try PluginFolder(fixtures: ["no-entry"], plugins: ["jsonlines", "example-c"])
        let options = ["--plugin-dir", plugins.path, "--plugins", "example-c,none", "--json"]
        let result = try await ChildProgram.run(["plugin", "list"] + options, program: program)
        #expect(result.code == 0, "\(result.errors)")
        let listed = try JSONParser().parse(result.output)["plugins"]?.array ?? []
        func state(_ name: String) -> String? { listed.first { $0["name"]?.string == name }?["state"]?.string }
        #expect(state("example-c") == "enabled")
        #expect(state("jsonlines") == "loaded")
        #expect(state("no-entry") == "rejected")
        #expect(state("none") == "missing")
        #expect(try await ChildProgram.run(["plugin", "show", "nobody"], program: program).code == 1)
        #expect(try await ChildProgram.run(["plugin", "enable", "x"], program: program).code == 1)
        #expect(try await ChildProgram.run(["plugin", "lst"], program: program).code == 64)
    }
}
