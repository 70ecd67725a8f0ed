internal import ChildPrograms
internal import LiveStream
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// A real live stream with a sliding window.
struct LiveTests {
    private let folder = TemporaryFolder()

    @Test("A live stream has no length, goes on with its window, and is complete at the end of the event")
    func wholeEvent() async throws {
        try StreamMedia.fragments.copy(into: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        var options = LiveStream.Options()
        options.isDated = false
        let stream = LiveStream(folder, from: server, segments: 12, window: 5, options: options)
        defer { stream.stop() }
        let archive = folder.file("run.tally")
        // At twice the speed playback would be at the live edge soon, which the engine takes for the end.
        let script = folder.write("script", "3 rate 2\n")
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
        #expect(run.clocks.isEmpty, "a stream without dates has no wall clock")
        // The window is 5 s long, and what comes later was played too.
        let places = run.lines.compactMap { $0.state("playhead_ms")?.int }
        #expect(places.max() ?? 0 > 8000)
        #expect(run.event("complete") != nil, "\(result.errors)")
        #expect(run.event("player_error") == nil)
    }
}
