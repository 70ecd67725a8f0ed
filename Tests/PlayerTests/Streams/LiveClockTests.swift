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
        window: Int = 8,
        segments: Int = 14,
        options: LiveStream.Options = LiveStream.Options(),
        _ arguments: [String] = []
    ) async throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        try StreamMedia.fragments(into: folder)
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180\nlive.m3u8\n"
        _ = folder.write("master.m3u8", master)
        let stream = LiveStream(
            folder: folder.path,
            segments: segments,
            segmentMs: 1000,
            window: window,
            startSeconds: 43_200,
            options: options
        )
        defer { stream.stop() }
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [
                server.url(of: name), "--archive", archive, "--duration", "40", "--json",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
            ] + arguments
        )
        return (try RecordedRun(archive), result)
    }

    /// The place in the stream and the wall clock, wherever both are told.
    private func clocks(_ run: RecordedRun) -> [(placeMs: Int64, wallMs: Int64)] {
        var place: Int64?
        return run.lines.compactMap { line in
            place = line.state("playhead_ms")?.int ?? place
            guard let place, let wall = line.state("live_wall_ms")?.int else { return nil }
            return (place, wall)
        }
    }

    @Test(
        "The wall clock goes with the playhead, sample by sample, from the date of the media",
        arguments: ["live", "master"]
    )
    func wallClock(name: String) async throws {
        let (run, result) = try await play(name + ".m3u8")
        #expect(result.code == 0, "\(result.errors)")
        let clocks = clocks(run)
        #expect(clocks.count > 20)
        // The place begins with the first segment of the playlist that was joined, be it the first or a later one.
        let offsets = Set(clocks.map { $0.wallMs - noonMs - $0.placeMs })
        #expect(offsets.count <= 2, "\(offsets)")
        let first = try #require(offsets.min())
        #expect(offsets.allSatisfy { $0 - first <= 1 })
        #expect((first + 2) % 1000 <= 4 && (-10..<7000).contains(first), "\(first)")
        #expect(run.event("complete") != nil)
        // The player's own look at the playlist is a request like any other.
        let own = run.events("request_completed").filter { $0.attribute("request_type") == "manifest" }
        #expect(own.count > 3)
    }

    @Test("At a discontinuity the wall clock jumps with the dates, and the playhead does not")
    func discontinuity() async throws {
        var options = LiveStream.Options()
        options.discontinuity = (segment: 9, programOffsetMs: 3_600_000)
        let (run, result) = try await play(options: options)
        #expect(result.code == 0, "\(result.errors)")
        let clocks = clocks(run)
        let offsets = clocks.map { $0.wallMs - noonMs - $0.placeMs }
        let first = try #require(offsets.first)
        let before = clocks.filter { $0.wallMs < noonMs + 3_600_000 }
        let behind = clocks.filter { $0.wallMs >= noonMs + 3_600_000 }
        #expect(before.count > 4)
        #expect(behind.count > 4)
        #expect(before.allSatisfy { abs($0.wallMs - noonMs - $0.placeMs - first) <= 20 })
        #expect(behind.allSatisfy { abs($0.wallMs - noonMs - $0.placeMs - first - 3_600_000) <= 60 }, "\(behind)")
        #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $1.placeMs - $0.placeMs < 1500 })
    }

    @Test("A stream without dates has no wall clock")
    func undated() async throws {
        var options = LiveStream.Options()
        options.isDated = false
        let (run, result) = try await play(segments: 10, options: options)
        #expect(result.code == 0, "\(result.errors)")
        #expect(clocks(run).isEmpty)
        #expect(run.lines.contains { $0.state("live") == .bool(true) })
    }

    @Test("Who joins late begins near the live edge, with the wall clock of that place")
    func late() async throws {
        // The event is 11 s old when the player comes: its playlist names all of it.
        let (run, result) = try await play(window: 12, segments: 14)
        #expect(result.code == 0, "\(result.errors)")
        let first = try #require(clocks(run).first)
        #expect(first.placeMs >= 7000, "\(first)")
        #expect(abs(first.wallMs - noonMs - first.placeMs) <= 2, "\(first)")
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
        let offsets = Set(clocks(behind).map { $0.wallMs - noonMs - $0.placeMs })
        let first = try #require(offsets.min())
        #expect(offsets.allSatisfy { $0 - first <= 60 }, "\(offsets)")
        #expect((first + 60) % 1000 <= 120, "\(first)")
        #expect(run.event("complete") != nil)
    }

    @Test("Every segment that the engine asks for is a request with its result, and its time")
    func requests() async throws {
        let (run, result) = try await play(segments: 12)
        #expect(result.code == 0, "\(result.errors)")
        let media = run.events("request_completed").filter { $0.attribute("request_type") == "media" }
        let names = media.compactMap { $0.attribute("request_url")?.string?.split(separator: "/").last }
        #expect(names.first == "init.mp4")
        let numbers = names.dropFirst().compactMap { Int($0.dropFirst("seg".count).prefix { $0.isNumber }) }
        // None is left out; on a machine that falls behind, the engine asks for some of them again.
        let first = try #require(numbers.first)
        #expect(first <= 8)
        #expect(Set(numbers).sorted() == Array(first...11), "\(numbers)")
        for request in media {
            #expect(request.attribute("request_status") == .int(200))
            #expect(request.attribute("request_bytes")?.int ?? 0 > 500)
            #expect(request.attribute("request_duration_ms")?.int ?? -1 >= 0)
            #expect(request.attribute("request_first_byte_ms")?.int ?? -1 >= 0)
        }
    }
}
