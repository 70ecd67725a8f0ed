internal import ChildPrograms
internal import LiveStream
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Ads that the stream's own playlists name.
struct StreamAdTests {
    private let folder = TemporaryFolder()

    private static let ad = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]
    private static let inserted = "CLASS=\"com.apple.hls.interstitial\""

    /// A finished stream of eight seconds from noon on, with date ranges in its playlist.
    private func recording(_ ranges: [String]) throws -> LoopbackServer {
        try StreamMedia.fragments(into: folder)
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init.mp4\"\n"
        text += ranges.map { "#EXT-X-DATERANGE:\($0)\n" }.joined()
        text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00Z\n"
        text += (0..<8).map { "#EXTINF:1.000,\nseg\($0).m4s\n" }.joined() + "#EXT-X-ENDLIST\n"
        _ = folder.write("vod.m3u8", text)
        _ = folder.write("list.json", #"{"ASSETS":[{"URI":"ad.mp4","DURATION":1.2},{"URI":"ad.mp4"}]}"#)
        return try LoopbackServer(ServerConfiguration(root: folder.path))
    }

    private func play(
        _ url: String,
        _ arguments: [String] = []
    ) async throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [
                url, "--archive", archive, "--duration", "60", "--json",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
            ] + arguments
        )
        return (try RecordedRun(archive), result)
    }

    private func course(_ run: RecordedRun) -> [String] {
        let others = [
            "rendition_change", "metadata_change", "request_completed", "request_failed", "request_cancelled",
        ]
        return run.names.filter { !others.contains($0) && !$0.hasPrefix("application") && $0 != "player_ready" }
    }

    /// The last place of the main content before an event, and the first one at which it goes on behind it.
    private func places(_ run: RecordedRun, around name: String) -> (before: Int64, behind: Int64)? {
        guard let index = run.lines.firstIndex(where: { $0["event"]?.string == name }) else { return nil }
        let before = run.lines[...index].compactMap { $0.state("playhead_ms")?.int }.last
        let samples = run.lines[(index + 1)...].filter { $0["event"] == "playhead_sample" }
        let behind = samples.compactMap { $0.state("playhead_ms")?.int }.first
        guard let before, let behind else { return nil }
        return (before, behind)
    }

    @Test("An interstitial is really played while the main content waits, which goes on at its place")
    func interstitial() async throws {
        let server = try recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:02Z\",DURATION=1.2,X-ASSET-URI=\"ad.mp4\","
                + "X-RESUME-OFFSET=0"
        ])
        let (run, result) = try await play(server.url(of: "vod.m3u8"))
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run).filter { !$0.hasPrefix("buffer") } == ["video_load", "play", "first_frame", "ad_break_start"]
                + Self.ad + ["ad_break_complete", "complete", "video_unload"]
        )
        #expect(run.event("ad_start")?.attribute("ad_id") == "spot")
        #expect(run.event("ad_start")?.attribute("ad_url") == .string(server.url(of: "ad.mp4")))
        let end = try #require(places(run, around: "ad_break_complete"))
        #expect((1900..<2700).contains(end.behind), "\(end)")
        #expect(server.requests.contains { $0.path == "/ad.mp4" })
        #expect(try result.summary()["complete"] == .bool(true))
    }

    @Test("Breaks of a live stream come with its playlists: in the stream, and inserted, where it goes on later")
    func live() async throws {
        try StreamMedia.fragments(into: folder)
        var options = LiveStream.Options()
        options.tags = [
            8: "#EXT-X-DATERANGE:ID=\"in\",START-DATE=\"2026-01-17T12:00:08Z\",DURATION=1.5,SCTE35-OUT=0xFC002F0000\n",
            12: "#EXT-X-DATERANGE:ID=\"put\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:12Z\","
                + "X-ASSET-URI=\"ad.mp4\"\n",
        ]
        let stream = LiveStream(
            folder: folder.path,
            segments: 16,
            segmentMs: 1000,
            window: 6,
            startSeconds: 43_200,
            options: options
        )
        defer { stream.stop() }
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let (run, result) = try await play(server.url(of: "live.m3u8"))
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run).filter { $0.hasPrefix("ad_") } == ["ad_break_start"] + Self.ad
                + ["ad_break_complete", "ad_break_start"] + Self.ad + ["ad_break_complete"],
            "\(result.errors)"
        )
        #expect(run.events("ad_break_start").map { $0.attribute("ad_break_id") } == ["in", "put"])
        let walls = run.events("ad_break_start").compactMap { $0.state("live_wall_ms")?.int }
        #expect(walls.map { ($0 - 1_768_651_200_000) / 1000 } == [8, 12])
        #expect(course(run).allSatisfy { !$0.hasPrefix("seek") && $0 != "pause" })
        #expect(run.event("complete") != nil)
    }
}
