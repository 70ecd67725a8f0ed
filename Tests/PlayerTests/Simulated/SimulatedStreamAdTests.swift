internal import ChildPrograms
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// Ads that a recording's own playlist names, with simulated engines.
struct SimulatedStreamAdTests {
    private let player = SimulatedPlayer()

    private static let ad = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]
    private static let inserted = "CLASS=\"com.apple.hls.interstitial\""

    /// A finished stream of eight seconds from noon on, with date ranges in its playlist.
    private func recording(_ ranges: [String]) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init.mp4\"\n"
        text += ranges.map { "#EXT-X-DATERANGE:\($0)\n" }.joined()
        text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00Z\n"
        text += (0..<8).map { "#EXTINF:1.000,\nseg\($0).m4s\n" }.joined() + "#EXT-X-ENDLIST\n"
        let folder = "http://media.example/"
        player.web.put(.init(text), at: folder + "vod.m3u8")
        player.web.put(.stream(durationMs: 8000), at: folder + "vod.m3u8")
        player.web.put(SimulatedMedia(durationMs: 1200), at: folder + "ad.mp4")
        let list = #"{"ASSETS":[{"URI":"ad.mp4","DURATION":1.2},{"URI":"ad.mp4"}]}"#
        player.web.put(.init(list), at: folder + "list.json")
        return folder + "vod.m3u8"
    }

    private func play(
        _ url: String,
        script: String? = nil
    ) throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        try player.record([url, "--json"], script: script)
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

    @Test("A marked break of a recording is a break with an ad, whose pictures are the stream's own")
    func marked() throws {
        let source = recording([
            "ID=\"spot\",START-DATE=\"2026-01-17T12:00:02Z\",DURATION=3,SCTE35-OUT=0xFC002F0000"
        ])
        let (run, result) = try play(source)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run).filter { !$0.hasPrefix("buffer") } == ["video_load", "play", "first_frame", "ad_break_start"]
                + Self.ad + ["ad_break_complete", "complete", "video_unload"]
        )
        let begin = try #require(run.event("ad_break_start"))
        #expect(begin.attribute("ad_break_id") == "spot")
        #expect(begin.attribute("ad_break_start_ms") == .int(2000))
        #expect(begin.attribute("ad_break_type") == "mid")
        #expect(run.event("ad_start")?.attribute("ad_duration_ms") == .int(3000))
        let start = try #require(places(run, around: "ad_break_start"))
        #expect((2000..<2400).contains(start.before), "\(start)")
        let end = try #require(places(run, around: "ad_break_complete"))
        #expect((5000..<5600).contains(end.behind), "\(end)")
        // A recording is no live stream, though it has dates.
        #expect(!run.lines.contains { $0.state("live_wall_ms") != nil })
    }

    @Test("An interstitial is played while the main content waits, which goes on at its place")
    func interstitial() throws {
        let source = recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:02Z\",DURATION=1.2,X-ASSET-URI=\"ad.mp4\","
                + "X-RESUME-OFFSET=0"
        ])
        let (run, result) = try play(source)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run).filter { !$0.hasPrefix("buffer") } == ["video_load", "play", "first_frame", "ad_break_start"]
                + Self.ad + ["ad_break_complete", "complete", "video_unload"]
        )
        #expect(run.event("ad_start")?.attribute("ad_id") == "spot")
        #expect(run.event("ad_start")?.attribute("ad_url") == "http://media.example/ad.mp4")
        let end = try #require(places(run, around: "ad_break_complete"))
        #expect((1900..<2700).contains(end.behind), "\(end)")
        #expect(try result.summary()["complete"] == .bool(true))
    }

    @Test("A seek out of a marked break leaves its ad")
    func leftBySeek() throws {
        let source = recording([
            "ID=\"spot\",START-DATE=\"2026-01-17T12:00:01Z\",DURATION=4,SCTE35-OUT=0xFC002F0000"
        ])
        let (run, result) = try play(source, script: "1.6 seek 6.5\n")
        #expect(result.code == 0, "\(result.errors)")
        let told = course(run).filter { $0.hasPrefix("ad_") || $0.hasPrefix("seek") }
        #expect(told == ["ad_break_start", "ad_start", "seek_start", "ad_skip", "ad_break_complete", "seek_complete"])
    }

    @Test("What is to come before the main content is a pre-roll, though its playlist is known after the first picture")
    func preroll() throws {
        let source = recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:03Z\",X-ASSET-URI=\"ad.mp4\",CUE=\"PRE\","
                + "X-RESUME-OFFSET=0"
        ])
        let (run, result) = try play(source, script: "1 stop\n")
        #expect(result.code == 0, "\(result.errors)")
        let begin = try #require(run.event("ad_break_start"))
        #expect(begin.attribute("ad_break_type") == "pre")
        #expect(begin.attribute("ad_break_start_ms") == .int(0))
    }

    @Test("Without a resume offset the main content goes on as much later as was shown")
    func replaced() throws {
        let source = recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:02Z\",X-ASSET-LIST=\"list.json\""
        ])
        let (run, result) = try play(source)
        #expect(result.code == 0, "\(result.errors)")
        let told = course(run).filter { $0.hasPrefix("ad_") }
        #expect(told == ["ad_break_start"] + Self.ad + Self.ad + ["ad_break_complete"])
        #expect(run.events("ad_start").map { $0.attribute("ad_position")?.int } == [1, 2])
        #expect(course(run).allSatisfy { !$0.hasPrefix("seek") })
        let end = try #require(places(run, around: "ad_break_complete"))
        #expect((4000..<5400).contains(end.behind), "\(end)")
        let list = run.events("request_completed").first { $0.attribute("request_type") == "api" }
        #expect(list?.attribute("request_url") == .string("http://media.example/list.json"))
    }

    @Test("The playout limit ends an interstitial, and it may forbid to be skipped")
    func limited() throws {
        let source = recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:02Z\",X-ASSET-LIST=\"list.json\","
                + "X-RESUME-OFFSET=0,X-PLAYOUT-LIMIT=0.6,X-RESTRICT=\"SKIP\""
        ])
        let (run, result) = try play(source)
        #expect(result.code == 0, "\(result.errors)")
        let told = course(run).filter { $0.hasPrefix("ad_") && $0 != "ad_quartile" }
        #expect(told == ["ad_break_start", "ad_start", "ad_skip", "ad_break_complete"])
        #expect(run.event("ad_start")?.attribute("ad_skip_after_ms") == nil)
        #expect(run.event("complete") != nil)
    }

    @Test("An asset that is not there is an ad error, and the main content goes on")
    func missing() throws {
        let source = recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:02Z\",X-ASSET-LIST=\"none.json\","
                + "X-RESUME-OFFSET=0"
        ])
        let (run, result) = try play(source)
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_error").map { $0.attribute("error_id") } == ["ad_unreachable"])
        #expect(run.event("complete") != nil)
        #expect(run.event("ad_break_start") == nil)
    }

    @Test("An asset with which the engine crashes again and again is an ad error, and the main content goes on")
    func crashes() throws {
        let source = recording([
            "ID=\"spot\",\(Self.inserted),START-DATE=\"2026-01-17T12:00:02Z\",X-ASSET-URI=\"crash.m3u8\",X-RESUME-OFFSET=0"
        ])
        player.web.put(SimulatedMedia(.crash), at: "http://media.example/crash.m3u8")
        let (run, result) = try play(source)
        #expect(result.code == 0, "\(result.errors)")
        let told = course(run).filter { $0.hasPrefix("ad_") }
        #expect(told == ["ad_break_start", "ad_error", "ad_break_complete"])
        #expect(run.event("ad_error")?.attribute("error_id") == "ad_unplayable")
        #expect(run.event("complete") != nil && run.event("player_error") == nil)
    }
}
