import ChildPrograms
import Testing
import TextEncoding

/// Real media, played by the real program.
struct PlaybackTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("A file with a pause and a seek is told in order, with what is known of it, and reaches the plugins")
    func wholeRun() async throws {
        let archive = folder.file("run.tally")
        let records = folder.file("records.jsonl")
        let script = folder.write(
            "script",
            """
            # What a viewer might do.
            0.5  pause 0.3
            1    custom "a viewer's mark" shelf=7 hint="two words" ratio=0.5 sure=true
            1    interrupt call
            1.1  interrupt end
            1.2  seek 3
            3.2  mute on
            3.3  volume 0.25
            3.4  fullscreen on
            3.4  size 1280x720
            @60  stop
            """
        )
        let result = try await ChildProgram.run([
            media.clip, "--script", script, "--archive", archive, "--json",
            "--plugins", "new-relic-video,example-c,jsonlines", "--set", "plugins.jsonlines.config.path=\(records)",
        ])
        #expect(result.code == 0, "\(result.errors)")

        let run = try RecordedRun(archive)
        #expect(
            run.names == [
                "application_launched", "player_ready", "video_load", "play", "metadata_change",
                "rendition_change", "first_frame", "pause", "play", "custom", "interruption_start", "interruption_end",
                "seek_start",
                "seek_complete", "complete", "video_unload", "application_terminated",
            ]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(run.end == "drained")
        try checkDescription(run)
        try checkCourse(run)

        let summary = try result.summary()
        #expect(summary["complete"] == .bool(true))
        #expect(summary["pauses"] == .int(1))
        #expect(summary["seeks"] == .int(1))
        #expect(summary["stalls"] == .int(0))
        #expect(summary["unreached_lines"]?.array?.count == 1)
        let states = try result.errors.split(separator: "\n").filter { $0.hasPrefix("{\"status\"") }.map { line in
            try JSONParser().parse(String(line))["status"]
        }
        #expect(states.count >= 3)
        #expect(states.contains { $0?["activity"] == "playing" && $0?["height"] == .int(180) })
        #expect(states.contains { $0?["plugins"]?.array?.count == 3 })
        let written = try TestFile.text(records).split(separator: "\n")
        let told = summary["trackers"]?.array?.compactMap { $0["records"]?.int } ?? []
        #expect(told.count == 2 && told.allSatisfy { $0 > 0 })
        #expect(written.count == Int(told.reduce(0, +)))

        let replayed = folder.file("replayed.jsonl")
        let replay = try await ChildProgram.run(
            [
                archive, "--plugins", "new-relic-video,example-c,jsonlines",
                "--set", "plugins.jsonlines.config.path=\(replayed)",
            ],
            program: "tally-replay"
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(try TestFile.bytes(replayed) == TestFile.bytes(records))
    }

    private func checkDescription(_ run: RecordedRun) throws {
        let load = try #require(run.event("video_load"))
        #expect(load.attribute("video_id") == "clip.mp4")
        #expect(load.attribute("video_name") == "clip.mp4")
        #expect(load.attribute("video_url") == .string(media.clip))
        #expect(load.attribute("stream_type") == nil)
        let change = try #require(run.event("metadata_change"))
        #expect(change.attribute("video_name") == "Test card")
        #expect(change.attribute("stream_type") == "vod")
        #expect(change.attribute("video_codec")?.string?.contains("H.264") == true)
        #expect(abs(4000 - (change.state("duration_ms")?.int ?? 0)) < 100)
        let rendition = try #require(run.event("rendition_change"))
        #expect(rendition.attribute("rendition_phase") == "visible")
        #expect(rendition.attribute("rendition_height") == .int(180))
        #expect(rendition.attribute("rendition_fps_milli") == .int(25_000))
        #expect(rendition.attribute("rendition_shift") == nil)
    }

    private func checkCourse(_ run: RecordedRun) throws {
        let pause = try #require(run.event("pause"))
        let resume = try #require(run.events("play").last)
        // How long it lasts is the player's matter: a pipeline that is slow to pause can be over it when it stands.
        #expect(resume["t_us"]?.int ?? 0 > pause["t_us"]?.int ?? 0)
        #expect(pause.state("playhead_ms")?.int ?? 0 >= 500)
        let mark = try #require(run.event("custom"))
        #expect(mark.attribute("custom_name") == "a viewer's mark")
        #expect(mark.attribute("shelf") == .int(7))
        #expect(mark.attribute("hint") == "two words")
        #expect(mark.attribute("ratio") == .double(0.5))
        #expect(mark.attribute("sure") == .bool(true))
        #expect(run.event("interruption_start")?.attribute("interruption_reason") == "call")
        let seek = try #require(run.event("seek_start"))
        #expect(seek.attribute("seek_to_ms") == .int(3000))
        #expect(seek.attribute("seek_from_ms")?.int ?? 0 >= 1200)
        // The engine may have moved on before it is asked.
        #expect((3000..<3300).contains(run.event("seek_complete")?.state("playhead_ms")?.int ?? 0))
        let complete = try #require(run.event("complete"))
        #expect(complete.state("muted") == .bool(true))
        #expect(complete.state("volume_milli") == .int(250))
        #expect(run.lines.contains { $0.state("fullscreen") == .bool(true) })
        #expect(run.lines.contains { $0.state("player_width") == .int(1280) && $0.state("player_height") == .int(720) })
        let samples = run.events("playhead_sample").compactMap { $0["t_us"]?.int }
        #expect(samples.count >= 6)
        #expect(!run.events("quality_sample").isEmpty)
        #expect(run.event("application_terminated")?.attribute("running_time_ms")?.int ?? 0 > 2000)
    }
}
