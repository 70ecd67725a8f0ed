import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

/// The script of docs/collector.md for mpv, in mpv itself.
@Suite struct MpvTests {
    private let files = TemporaryFolder()

    private static let isInstalled = unsafe access("/usr/bin/mpv", X_OK) == 0

    /// Pauses, goes on and seeks, each when it is time.
    private static let course = """
        local steps = { { 0.7, function() mp.set_property_bool("pause", true) end }, { 1.2, function() mp.set_property("time-pos", 2.5) end } }
        mp.observe_property("time-pos", "number", function(_, place)
            if steps[1] and place and place >= steps[1][1] then table.remove(steps, 1)[2]() end
        end)
        mp.observe_property("pause", "bool", function(_, value)
            if value then mp.add_timeout(0.4, function() mp.set_property_bool("pause", false) end) end
        end)
        """

    @Test(
        "mpv with the page's script reports load, first frame, pause, seek, end and a missing file, whole and once",
        .enabled(if: MpvTests.isInstalled, "mpv is not installed; run Scripts/bootstrap --tests")
    )
    func reports() async throws {
        let text = try CollectorPage.block("lua", below: "### mpv")
        #expect(text.split(separator: "\n").count < 60)
        let media = files.file("clip.mp4")
        try await ShortMedia.make(media, seconds: 4)
        let collector = try await RunningCollector(ofOneTenant: files)
        let program = files.write(
            "report.py",
            try CollectorPage.block("python", below: "### Lines of another program")
        )
        let mpv = try await ChildProgram.run(
            "/usr/bin/mpv",
            [
                "--no-config", "--no-terminal", "--vo=null", "--ao=null", "--script=\(files.write("tally.lua", text))",
                "--script=\(files.write("course.lua", Self.course))",
                "--script-opts=tally=python3 \(program) http://127.0.0.1:\(collector.port) k1",
                media, files.file("missing.mp4"),
            ]
        )
        // Of the last file mpv says that it could not be played.
        #expect(mpv.code == 3 || mpv.code == 2, "\(mpv.errors)")
        #expect(await collector.shelved(1))
        #expect(collector.figure("refused_lines_total") == 0)
        let lines = try await collector.archived(tenant: "web").map { try JSONParser().parse($0) }
        let events = lines.filter { $0["event"] != nil && $0["event"]?.string != "playhead_sample" }
        #expect(
            events.compactMap { $0["event"]?.string } == [
                "video_load", "play", "first_frame", "pause", "play", "seek_start", "seek_complete", "complete",
                "video_unload", "video_load", "play", "player_error", "video_unload",
            ]
        )
        #expect(lines.last?["end"]?.string == "drained")
        try #require(events.count == 13)
        #expect(events[0]["attributes"]?["video_id"]?.string == "clip.mp4")
        #expect(events[2]["state"]?["width"]?.int == 160)
        #expect(events[5]["attributes"]?["seek_to_ms"]?.int == 2500)
        #expect((700..<2500).contains(events[5]["attributes"]?["seek_from_ms"]?.int ?? 0), "\(events[5])")
        #expect((3900...4100).contains(events[7]["state"]?["playhead_ms"]?.int ?? 0), "\(events[7])")
        let paused = (events[4]["t_us"]?.int ?? 0) - (events[3]["t_us"]?.int ?? 0)
        #expect(paused >= 350_000, "the pause lasts \(paused) us")
        #expect(events[9]["attributes"]?["video_id"]?.string == "missing.mp4")
        #expect(events[11]["attributes"]?["error_fatal"] == true, "\(events[11])")
        // As long as it plays, it says where.
        #expect(lines.count(where: { $0["event"]?.string == "playhead_sample" }) >= 4)
    }
}
