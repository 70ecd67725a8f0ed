internal import ChildPrograms
internal import LiveStream
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Ads that a live stream's own playlists name, with real engines: in the stream, and inserted.
struct StreamAdTests {
    private let folder = TemporaryFolder()

    private static let ad = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]
    private static let inserted = "CLASS=\"com.apple.hls.interstitial\""

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
