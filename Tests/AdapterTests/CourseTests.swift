import ChildPrograms
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// The same course in each player, a pause, a seek, and the end: what they tell is the same, and all trackers speak.
struct CourseTests {
    private static let programs = TestFile.repository + "/Tests/AdapterTests/Programs/"
    private static let trackers = ["new-relic-video", "mux-data", "nielsen-dcr", "adobe-heartbeat", "adobe-analytics"]

    /// What all players can know, in the order of the course.
    private static let events = [
        "application_launched", "player_ready", "video_load", "play", "metadata_change", "rendition_change",
        "first_frame", "pause", "play", "seek_start", "seek_complete", "complete", "video_unload",
        "application_terminated",
    ]

    enum Player: String, CaseIterable {
        case tally, mpv, playbin, playbin3
    }

    @Test("A pause, a seek and the end are told alike, and a replay says it again", arguments: Player.allCases)
    func course(player: Player) async throws {
        let folder = TemporaryFolder()
        let (configuration, output) = (try configuration(folder), folder.file("live.jsonl"))
        let said = try await play(player, configuration, folder)
        #expect(said.code == 0, "\(said.errors)")
        let archive = try #require(TemporaryFolder.names(in: folder.file("archives")).first, "\(said.errors)")
        let path = folder.file("archives/" + archive)
        let lines = try TestFile.text(path).split(separator: "\n").map { try JSONParser().parse(String($0)) }
        var told = lines.compactMap { $0["event"]?.string }.filter { Self.events.contains($0) }
        // How often more becomes known of the media is a matter of the player.
        let first = try #require(told.firstIndex(of: "metadata_change"))
        told = told.enumerated().filter { $0.offset <= first || $0.element != "metadata_change" }.map(\.element)
        #expect(told == Self.events, "\(told)")
        let seek = try #require(lines.first { $0["event"] == "seek_start" }?["attributes"])
        #expect(seek["seek_to_ms"] == 4_000)
        #expect((1_900...2_400).contains(seek["seek_from_ms"]?.int ?? 0), "\(seek)")
        #expect(lines.last { $0["event"] == "complete" }?["state"]?["playhead_ms"] == 6_000)

        let live = try TestFile.text(output)
        for tracker in Self.trackers { #expect(live.contains("\"instance\":\"\(tracker)\""), "\(tracker)") }
        let again = folder.file("again.jsonl")
        let replay = try await ChildProgram.run(
            "tally-replay",
            [
                path, "--config", configuration, "--plugin-dir", PluginFiles.folder,
                "--set", "plugins.jsonlines.config.path=\"\(again)\"", "-q",
            ]
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(try TestFile.text(again) == live)
    }

    @Test("A stall that a server makes, an error and a second file are told as a program's own log has them")
    func wholeCourse() async throws {
        // All players, and what they have in common: Scripts/soak players.
        let said = try await ChildProgram.run(
            "/usr/bin/env",
            [
                "python3", TestFile.repository + "/Tests/AdapterTests/check_course.py", PluginFiles.folder,
                try await AdaptedMedia.folder, "--player", "playbin",
            ],
            environment: ["SWIFT_BACKTRACE": "enable=no", "PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect(said.code == 0, "\(said.output)\(said.errors.suffix(3_000))")
    }

    @Test("Of tally-player's own engine the tracer tells what tally-player tells")
    func ownEngine() async throws {
        let folder = TemporaryFolder()
        let script = folder.write("course.script", "1 pause 0.5\n2 seek 4\n")
        let said = try await ChildProgram.run(
            "tally-player",
            [try await AdaptedMedia.short, "--archive", folder.file("own.tally"), "--script", script, "-q"],
            environment: AdaptedPlayer.traced("archive=\"\(folder.file("traced"))/\"")
        )
        #expect(said.code == 0, "\(said.errors)")
        let traced = try #require(TemporaryFolder.names(in: folder.file("traced")).first)
        let events = try [folder.file("own.tally"), folder.file("traced/" + traced)].map { path in
            try TestFile.text(path).split(separator: "\n").compactMap { line in
                try JSONParser().parse(String(line))["event"]?.string
            }
            // The engine is a process that is ended without its exit.
            .filter { Self.events.contains($0) && !$0.hasPrefix("metadata") && $0 != "application_terminated" }
        }
        #expect(events[0] == events[1])
        #expect(events[0].count > 8)
    }

    private func play(
        _ player: Player,
        _ configuration: String,
        _ folder: TemporaryFolder
    ) async throws -> ChildProgram.Outcome {
        let quiet = ["SWIFT_BACKTRACE": "enable=no", "TALLY_CACHE": folder.file("cache")]
        switch player {
        case .tally:
            let script = folder.write("course.script", "1 pause 0.5\n2 seek 4\n")
            return try await ChildProgram.run(
                "tally-player",
                [
                    try await AdaptedMedia.short, "--config", configuration, "--plugin-dir", PluginFiles.folder,
                    "--script", script, "-q",
                ]
            )
        case .mpv:
            return try await ChildProgram.run(
                "/usr/bin/mpv",
                [
                    "--no-config", "--vo=null", "--ao=null", "--no-terminal",
                    "--script=\(Self.programs)course.lua", "--script=\(PluginFiles.folder)/libmpv-tally.so",
                    "--script-opts=tally-config=\(configuration),tally-plugin-folder=\(PluginFiles.folder)",
                    try await AdaptedMedia.short,
                ],
                environment: quiet
            )
        case .playbin, .playbin3:
            let flags = try await ChildProgram.run(
                "/usr/bin/env",
                ["pkg-config", "--cflags", "--libs", "gstreamer-1.0"]
            )
            let program = folder.file("course")
            let built = try await ChildProgram.run(
                "/usr/bin/gcc",
                ["-Wall", "-Wextra", "-Werror", "-o", program, Self.programs + "course.c"]
                    + flags.output.split { $0 == " " || $0 == "\n" }.map(String.init)
            )
            #expect(built.code == 0, "\(built.errors)")
            let parameters = "config=\"\(configuration)\",plugin-folder=\"\(PluginFiles.folder)\""
            return try await ChildProgram.run(
                program,
                [player.rawValue, try await "file://" + AdaptedMedia.short],
                environment: quiet.merging(AdaptedPlayer.traced(parameters)) { $1 }
            )
        }
    }

    /// A configuration with all trackers, whose outputs go to a file.
    private func configuration(_ folder: TemporaryFolder) throws -> String {
        let trackers = Self.trackers.map { name in
            let config: JSONValue =
                switch name {
                case "new-relic-video": ["delivery": ["accountId": 123_456]]
                case "mux-data": ["environmentKey": "abc123", "timeUpdates": false]
                case "nielsen-dcr":
                    [
                        "appid": "P10DF14BA-937E-436D-99DF-ED39A0422387", "content": ["assetid": "film-1"],
                    ]
                case "adobe-heartbeat":
                    [
                        "trackingServer": "heartbeats.example.com", "jobId": "example-job", "publisher": "example",
                    ]
                default: [:]
                }
            return (name, JSONValue.object(["plugin": .string(name), "config": config]))
        }
        var plugins = JSONObject()
        for (name, value) in trackers { plugins[name] = value }
        plugins["jsonlines"] = ["plugin": "jsonlines", "config": ["path": .string(folder.file("live.jsonl"))]]
        let settings = "AdobeMobile/ADBMobileConfig.json"
        folder.write(settings, try TestFile.source("Tests/ReplayTests/Archives/OnePlayback/" + settings))
        let value: JSONValue = [
            "archive": .string(folder.file("archives") + "/"), "plugins": .object(plugins),
        ]
        return folder.write("tally.json5", value.canonicalText)
    }
}
