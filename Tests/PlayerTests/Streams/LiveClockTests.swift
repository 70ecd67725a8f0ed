internal import ChildPrograms
internal import LiveStream
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// The wall clock of what a live stream shows, with a real server and a real player.
struct LiveClockTests {
    private let folder = TemporaryFolder()
    /// Noon of 17 January 2026 in UTC, the date of the stream's first sample.
    private let noonMs: Int64 = 1_768_651_200_000

    private func play(
        _ name: String = "live.m3u8",
        window: Int,
        segments: Int,
        options: LiveStream.Options = LiveStream.Options(),
        _ arguments: [String] = []
    ) async throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        try StreamMedia.fragments.copy(into: folder)
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180\nlive.m3u8\n"
        _ = folder.write("master.m3u8", master)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let stream = LiveStream(folder, from: server, segments: segments, window: window, options: options)
        defer { stream.stop() }
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [
                server.url(of: name), "--archive", archive, "--duration", "40", "--json",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
            ] + arguments
        )
        return (try RecordedRun(archive), result)
    }

    @Test("Who joins late begins near the live edge, and at a discontinuity the wall clock alone jumps")
    func discontinuity() async throws {
        // The event is 11 s old when the player comes: its playlist names all of it.
        var options = LiveStream.Options()
        options.discontinuity = (segment: 13, programOffsetMs: 3_600_000)
        let (run, result) = try await play("master.m3u8", window: 12, segments: 16, options: options)
        #expect(result.code == 0, "\(result.errors)")
        let clocks = run.clocks
        let first = try #require(clocks.first)
        #expect(first.placeMs >= 7000, "\(first)")
        let before = clocks.filter { $0.wallMs < noonMs + 3_600_000 }
        let behind = clocks.filter { $0.wallMs >= noonMs + 3_600_000 }
        #expect(before.count > 4)
        #expect(behind.count > 4)
        // The place begins with the first segment of the playlist that was joined.
        #expect(before.allSatisfy { abs($0.wallMs - noonMs - $0.placeMs) <= 2 }, "\(before)")
        #expect(behind.allSatisfy { abs($0.wallMs - noonMs - $0.placeMs - 3_600_000) <= 60 }, "\(behind)")
        #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $1.placeMs - $0.placeMs < 1500 })
        #expect(run.event("complete") != nil)
        // The player's own look at the playlist is a request like any other.
        let own = run.events("request_completed").filter { $0.attribute("request_type") == "manifest" }
        #expect(own.count > 3)
    }

    @Test("After a pause that is longer than the window, place and wall clock are those of where the engine goes on")
    func longPause() async throws {
        let (run, result) = try await play(
            window: 4,
            segments: 16,
            ["--script", folder.write("script", "2.5 pause 7\n")]
        )
        #expect(result.code == 0, "\(result.errors)")
        let play = try #require(run.lines.lastIndex { $0["event"] == "play" })
        let behind = RecordedRun(lines: Array(run.lines[play...]))
        // What was missed is not shown. The first sample may come from behind it already: the play has the place before.
        let places = behind.lines.compactMap { $0.state("playhead_ms")?.int }
        #expect(zip(places, places.dropFirst()).contains { $1 - $0 > 2000 }, "\(places)")
        let offsets = Set(behind.clocks.map { $0.wallMs - noonMs - $0.placeMs })
        let first = try #require(offsets.min())
        #expect(offsets.allSatisfy { $0 - first <= 60 }, "\(offsets)")
        #expect((first + 60) % 1000 <= 120, "\(first)")
        #expect(run.event("complete") != nil)
    }
}
