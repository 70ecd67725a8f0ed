import ChildPrograms
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// Real players of others with the adapters that they load, which say what they do: mpv, and GStreamer's own player.
///
/// `Scripts/soak adapters` kills them.
@Suite(.serialized) struct AdapterTests {

    /// What all players tell of a file that is played to its end.
    private static let played = [
        "application_launched", "player_ready", "video_load", "play", "metadata_change", "rendition_change",
        "first_frame", "complete", "video_unload", "application_terminated", "drained",
    ]

    @Test(
        "A file that is played to its end is told alike by all players",
        arguments: [AdaptedPlayer.Kind.mpv, .gstPlay]
    )
    func plain(kind: AdaptedPlayer.Kind) async throws {
        let player = AdaptedPlayer(kind)
        let events = try await player.play([try await AdaptedMedia.short])
        // How often more becomes known of the media is a matter of the player.
        let first = try #require(events.firstIndex { $0.name == "metadata_change" })
        let told = events.enumerated().filter { $0.offset <= first || $0.element.name != "metadata_change" }
        #expect(told.map(\.element.name) == Self.played)
        let description = try #require(events.last { $0.name == "metadata_change" })
        #expect(description.attributes["stream_type"] == "vod")
        #expect(description.attributes["video_id"] == "short.mp4")
        #expect(description.line["state"]?["duration_ms"]?.int == 6_000)
        let frame = try #require(events.first { $0.name == "first_frame" })
        #expect(frame.line["state"]?["width"]?.int == 320)
        #expect(frame.attributes["startup_time_ms"]?.int != nil)
        let archive = player.archives + "/" + (TemporaryFolder.names(in: player.archives).first ?? "")
        let check = try await ChildProgram.run("tally-replay", ["validate", "--strict", archive])
        #expect(check.code == 0, "\(check.output)\(check.errors)")
    }

    @Test("A file that is not there is a fatal error of a session", arguments: [AdaptedPlayer.Kind.mpv, .gstPlay])
    func missing(kind: AdaptedPlayer.Kind) async throws {
        let events = try await AdaptedPlayer(kind).play(["/nowhere/film.mp4"])
        #expect(
            events.map(\.name) == [
                "application_launched", "player_ready", "video_load", "play", "player_error", "video_unload",
                "application_terminated", "drained",
            ]
        )
        let error = try #require(events.first { $0.name == "player_error" })
        #expect(error.attributes["error_id"] == "not_found")
        #expect(error.attributes["error_fatal"] == true)
    }

    @Test("What follows a failure is a session of its own", arguments: [AdaptedPlayer.Kind.mpv, .gstPlay])
    func failures(kind: AdaptedPlayer.Kind) async throws {
        let player = AdaptedPlayer(kind)
        let garbage = player.folder.write("garbage.mp4", String(repeating: "no media ", count: 5_000))
        let events = try await player.play(["http://127.0.0.1:1/film.mp4", garbage, "/nowhere/film.mp4"])
        let errors = events.filter { $0.name == "player_error" }.map { $0.attributes["error_id"]?.string }
        #expect(errors == ["connection_refused", "not_media", "not_found"])
        #expect(events.filter { $0.name == "video_load" }.count == 3)
        #expect(events.filter { $0.name == "video_unload" }.count == 3)
    }

    @Test(
        "A file that is cut off is an error, and what follows is another session",
        arguments: [AdaptedPlayer.Kind.mpv]
    )
    func cut(kind: AdaptedPlayer.Kind) async throws {
        let player = AdaptedPlayer(kind)
        let whole = try TestFile.bytes(try await AdaptedMedia.short)
        let cut = player.folder.write("cut.mp4", bytes: Array(whole.prefix(whole.count / 2)))
        let events = try await player.play([cut, try await AdaptedMedia.short], ["--speed=4"])
        let names = events.map(\.name)
        #expect(names.filter { $0 == "video_load" }.count == 2)
        #expect(names.filter { $0 == "complete" }.count == 1)
        #expect(events.first { $0.name == "player_error" }?.attributes["error_id"] == "truncated")
    }

    @Test("A player that tracks nothing does not load the library", arguments: [AdaptedPlayer.Kind.mpv])
    func nothing(kind: AdaptedPlayer.Kind) async throws {
        let folder = TemporaryFolder()
        let said = try await ChildProgram.run(
            "/usr/bin/mpv",
            [
                "--no-config", "--vo=null", "--ao=null", "--length=0.2", "--no-terminal",
                "--script=\(PluginFiles.folder)/libmpv-tally.so", "--script-opts=tally-library=/nowhere/libtally.so",
                try await AdaptedMedia.short,
            ],
            environment: ["HOME": folder.path]
        )
        #expect(said.code == 0)
        #expect(said.errors == "")
    }

    @Test("A library that cannot be loaded is one line, and the player goes on")
    func noLibrary() async throws {
        let said = try await ChildProgram.run(
            "/usr/bin/mpv",
            [
                "--no-config", "--vo=null", "--ao=null", "--length=0.2", "--no-terminal",
                "--script=\(PluginFiles.folder)/libmpv-tally.so",
                "--script-opts=tally-library=/nowhere/libtally.so,tally-plugins=console", try await AdaptedMedia.short,
            ]
        )
        #expect(said.code == 0)
        #expect(said.errors.hasPrefix("tally for mpv: nothing is tracked: libtally cannot be loaded: /nowhere"))
        #expect(said.errors.split(separator: "\n").count == 1)
    }

    /// mpv with a folder of its own that has a file of script options.
    private func playBySettings(
        _ folder: TemporaryFolder,
        _ settings: String,
        _ options: [String] = []
    ) async throws -> ChildProgram.Outcome {
        folder.makeFolder("script-opts")
        folder.write("script-opts/tally.conf", settings)
        return try await ChildProgram.run(
            "/usr/bin/mpv",
            [
                "--config-dir=\(folder.path)", "--vo=null", "--ao=null", "--length=0.2", "--no-terminal",
                "--script=\(PluginFiles.folder)/libmpv-tally.so",
            ] + options + [try await AdaptedMedia.short],
            environment: ["SWIFT_BACKTRACE": "enable=no"]
        )
    }

    @Test("mpv's own file of script options counts, and its command line before it")
    func settingsFile() async throws {
        let folder = TemporaryFolder()
        let settings = """
            # tracked always
             plugins = discard

            plugin-folder=\(PluginFiles.folder)
            archive=\(folder.path)/of the file/
            """
        let said = try await playBySettings(folder, settings)
        #expect(said.errors == "")
        #expect(TemporaryFolder.names(in: folder.file("of the file")).count == 1)
        _ = try await playBySettings(folder, settings, ["--script-opts=tally-archive=\(folder.path)/other/"])
        #expect(TemporaryFolder.names(in: folder.file("of the file")).count == 1)
        #expect(TemporaryFolder.names(in: folder.file("other")).count == 1)
    }

    @Test("What is wrong in that file is told with its line", arguments: ["plugns=discard", "plugins"])
    func wrongSettings(line: String) async throws {
        let folder = TemporaryFolder()
        let said = try await playBySettings(folder, "# two lines\n\(line)\n")
        #expect(said.code == 0)
        let place = "tally for mpv: nothing is tracked: \(folder.path)/script-opts/tally.conf:2: "
        let problem = line == "plugins" ? "'plugins' is no KEY=VALUE" : "there is no option plugns"
        #expect(said.errors.hasPrefix(place + problem))
    }

    @Test("mpv says why a file is unloaded that is not played to its end")
    func causes() async throws {
        let player = AdaptedPlayer(.mpv)
        let script = player.folder.write(
            "skip.lua",
            """
            mp.register_event("playback-restart", function()
                if mp.get_property_number("playlist-pos") == 0 then mp.command("playlist-next")
                elseif mp.get_property_number("playlist-pos") == 1 then mp.set_property("end", "0.5")
                else mp.command("quit") end
            end)
            """
        )
        let file = try await AdaptedMedia.short
        let events = try await player.play([file, file, file], ["--script=\(script)"])
        let causes = events.filter { $0.name == "video_unload" }.map { $0.attributes["cause"]?.string }
        #expect(causes == ["stop", "limited", "quit"])
    }

    @Test("A second tracer says that it is left out, and one that is only inspected does not")
    func secondTracer() async throws {
        let folder = TemporaryFolder()
        let one = "archive=\"\(folder.path)/archives/\",plugins=discard"
        let line = "tally for GStreamer: a second tracer tally is left out: one takes plugins=\"a,b\"\n"
        let two = try await ChildProgram.run(
            "/usr/bin/env",
            ["gst-launch-1.0", "-q", "fakesrc", "num-buffers=1", "!", "fakesink"],
            environment: AdaptedPlayer.traced(one + ");tally(" + one)
        )
        #expect(two.errors == line)
        let inspected = try await ChildProgram.run(
            "/usr/bin/env",
            ["gst-inspect-1.0", "tally"],
            environment: AdaptedPlayer.traced(one)
        )
        #expect(inspected.code == 0)
        #expect(inspected.errors == "")
    }

    @Test("A pipeline that only looks into a file is no player")
    func discoverer() async throws {
        let player = AdaptedPlayer(.gstPlay)
        let said = try await ChildProgram.run(
            "/usr/bin/env",
            ["gst-discoverer-1.0", try await AdaptedMedia.short],
            environment: AdaptedPlayer.traced("archive=\"\(player.archives)/\",plugins=discard")
        )
        #expect(said.code == 0)
        #expect(TemporaryFolder.names(in: player.archives) == [])
    }
}
