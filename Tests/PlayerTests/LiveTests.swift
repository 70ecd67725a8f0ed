internal import ChildPrograms
internal import Glibc
internal import LiveStream
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// A real live stream with a sliding window.
struct LiveTests {
    private let folder = TemporaryFolder()

    private func makeSegments(_ count: Int) throws {
        try #require(
            unsafe system(
                "cd \(folder.path) && ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=25"
                    + " -f lavfi -i sine=f=440:r=48000 -t \(count) -c:v libx264 -preset ultrafast -b:v 200k -g 25"
                    + " -keyint_min 25 -sc_threshold 0 -pix_fmt yuv420p -c:a aac -b:a 32k -f hls -hls_time 1"
                    + " -hls_segment_type fmp4 -hls_fmp4_init_filename init.mp4 -hls_list_size 0"
                    + " -hls_segment_filename seg%d.m4s all.m3u8"
            ) == 0
        )
    }

    @Test("A live stream has no length, goes on with its window, and is complete at the end of the event")
    func wholeEvent() async throws {
        try makeSegments(16)
        let stream = LiveStream(folder: folder.path, segments: 16, segmentMs: 1000, window: 5, startSeconds: 43_200)
        defer { stream.stop() }
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let archive = folder.file("run.tally")
        // At twice the speed playback would be at the live edge soon, which the engine takes for the end.
        let script = folder.write("script", "@4 rate 2\n")
        let result = try await ChildProgram.run([
            server.url(of: "live.m3u8"), "--archive", archive, "--duration", "40", "--json", "--script", script,
            "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("a live stream cannot be played faster than it comes"))
        let run = try RecordedRun(archive)
        #expect(!run.lines.contains { $0.state("rate_milli") == .int(2000) })
        #expect(run.event("metadata_change")?.attribute("stream_type") == "live")
        #expect(run.lines.contains { $0.state("duration_ms") == .int(-1) })
        #expect(run.lines.contains { $0.state("live") == .bool(true) })
        // The window is 5 s long, and what comes later was played too.
        let places = run.lines.compactMap { $0.state("playhead_ms")?.int }
        #expect(places.max() ?? 0 > 8000)
        #expect(run.event("complete") != nil, "\(result.errors)")
        #expect(run.event("player_error") == nil)
    }
}
