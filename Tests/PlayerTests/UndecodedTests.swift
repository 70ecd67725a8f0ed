internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Playback without decoding.
struct UndecodedTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("What is not decoded has the same events, its frames counted, in real time, and fails as it does decoded")
    func undecoded() async throws {
        let server = try LoopbackServer(ServerConfiguration(root: media.folder))
        defer { server.stop() }
        let archive = folder.file("run.tally")
        let script = folder.write("script", "1 pause 0.4\n2 seek 0.5\n3 mute on\n3.1 volume 0.5\n3.2 rate 2")
        let result = try await ChildProgram.run([
            media.clip, media.truncated, server.url(of: "hls/master.m3u8"), "--no-decode", "--archive", archive,
            "--script", script, "--json", "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        #expect(result.code == 65, "\(result.errors)")
        let run = try RecordedRun(archive)
        try #require(run.sessions.count == 3)
        let (file, truncated, stream) = (run.sessions[0], run.sessions[1], run.sessions[2])
        let content: Set = ["video_load", "play", "first_frame", "pause", "seek_start", "seek_complete", "complete"]
        #expect(
            file.names.filter(content.contains) == [
                "video_load", "play", "first_frame", "pause", "play", "seek_start", "seek_complete", "complete",
            ]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(file.lines.contains { $0.state("muted") == true && $0.state("volume_milli") == .int(500) })
        #expect(file.lines.contains { $0.state("rate_milli") == .int(2000) })
        #expect(file.lines.contains { $0.state("width") == .int(320) && $0.state("fps_milli") == .int(25_000) })
        #expect(file.lines.compactMap { $0.state("rendered_frames")?.int }.max() ?? 0 > 80)
        #expect(truncated.event("player_error")?.attribute("error_id") == "truncated")
        // Renditions change without a decoder too.
        #expect(stream.events("rendition_change").contains { $0.attribute("rendition_phase") == "visible" })
        #expect(stream.event("complete") != nil)
        #expect(try result.summary()["played_ms"]?.int ?? 0 > 8000)
    }
}
