internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// DASH, from a real server.
struct DashTests {
    private let folder = TemporaryFolder()

    @Test("A recording in DASH is played to its end, with its renditions and all its requests")
    func recording() async throws {
        try StreamMedia.dash.copy(into: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run([
            server.url(of: "static.mpd"), "--archive", archive, "--duration", "60", "--json",
            "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.event("complete") != nil)
        #expect(run.event("metadata_change")?.attribute("stream_type") == "vod")
        #expect(run.event("metadata_change")?.attribute("video_mime_type") == "application/dash+xml")
        #expect(run.lines.contains { $0.state("duration_ms") == .int(8000) })
        let visible = run.events("rendition_change").filter { $0.attribute("rendition_phase") == "visible" }
        #expect(visible.allSatisfy { [90, 180].contains($0.attribute("rendition_height")?.int) })
        #expect(visible.last?.attribute("rendition_height") == .int(180))
        #expect(visible.last?.attribute("rendition_bitrate_bps") == .int(400_000))
        let requests = run.events("request_completed")
        #expect(requests.first?.attribute("request_type") == "manifest")
        // Eight segments of picture and of sound, and their beginnings.
        #expect(requests.filter { $0.attribute("request_type") == "media" }.count >= 18)
    }

    @Test("A live stream in DASH is recognised, and its wall clock is that of the manifest")
    func live() async throws {
        let encoder = try await LiveEncoder(folder: folder)
        defer { encoder.stop() }
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let archive = folder.file("run.tally")
        let player = try ChildProgram.player([
            server.url(of: "live.mpd"), "--archive", archive, "--json",
            "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        // A few samples with a wall clock, and a few segments that were asked for.
        let isFollowed = await eventually {
            let text = (try? TestFile.text(archive)) ?? ""
            return text.matches(of: /"live_wall_ms"/).count > 8 && text.matches(of: /\.m4s"/).count > 8
                || player.state != .running
        }
        #expect(isFollowed && player.state == .running)
        player.send(SIGINT)
        let result = try await player.outcome()
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.event("metadata_change")?.attribute("stream_type") == "live")
        #expect(run.lines.contains { $0.state("duration_ms") == .int(-1) })
        let startMs = try encoder.startMs()
        var place: Int64 = 0
        var walls = 0
        for line in run.lines {
            place = line.state("playhead_ms")?.int ?? place
            guard let wall = line.state("live_wall_ms")?.int else { continue }
            #expect(wall == startMs + place)
            walls += 1
        }
        #expect(walls > 4)
        #expect(run.events("first_frame").count == 1)
        let media = run.events("request_completed").filter { $0.attribute("request_type") == "media" }
        #expect(media.count > 4)
    }
}
