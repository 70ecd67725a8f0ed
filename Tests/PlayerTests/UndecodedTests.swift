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

    private func play(_ source: String, _ options: [String] = []) async throws -> (RecordedRun, ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [source, "--no-decode", "--archive", archive, "--json", "--quiet"] + options
        )
        return (try RecordedRun(archive), result)
    }

    @Test("What is not decoded has the same events, its frames counted, in real time")
    func file() async throws {
        let script = folder.write("script", "1 pause 0.4\n2 seek 0.5\n3 mute on\n3.1 volume 0.5\n3.2 rate 2")
        let (run, result) = try await play(media.clip, ["--script", script])
        #expect(result.code == 0, "\(result.errors)")
        let content: Set = ["video_load", "play", "first_frame", "pause", "seek_start", "seek_complete", "complete"]
        #expect(
            run.names.filter(content.contains) == [
                "video_load", "play", "first_frame", "pause", "play", "seek_start", "seek_complete", "complete",
            ]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(run.lines.contains { $0.state("muted") == true && $0.state("volume_milli") == .int(500) })
        #expect(run.lines.contains { $0.state("rate_milli") == .int(2000) })
        #expect(run.lines.contains { $0.state("width") == .int(320) && $0.state("fps_milli") == .int(25_000) })
        let summary = try result.summary()
        #expect(summary["rendered_frames"]?.int ?? 0 > 80)
        #expect(summary["played_ms"]?.int ?? 0 > 4000)
    }

    @Test("The renditions of an adaptive stream change without decoding too")
    func adaptive() async throws {
        let server = try LoopbackServer(ServerConfiguration(root: media.folder))
        defer { server.stop() }
        let (run, result) = try await play(
            server.url(of: "hls/master.m3u8"),
            ["--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1"]
        )
        #expect(result.code == 0, "\(result.errors)")
        let visible = run.events("rendition_change").filter { $0.attribute("rendition_phase") == "visible" }
        #expect(!visible.isEmpty)
        #expect(run.event("complete") != nil)
    }

    @Test("A file that is cut short is truncated without decoding too")
    func truncated() async throws {
        let (run, result) = try await play(media.truncated)
        #expect(result.code == 65)
        #expect(run.event("player_error")?.attribute("error_id") == "truncated")
    }
}
