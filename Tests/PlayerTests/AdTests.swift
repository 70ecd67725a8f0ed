internal import AdDocuments
internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Ads that are really played: by the real program, from a real server.
struct AdTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    private static let adEvents = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]

    /// Plays the clip with a document's ads.
    private func play(
        _ ads: String,
        _ arguments: [String] = [],
        script: String = ""
    ) async throws -> (run: RecordedRun, result: ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        var all = [
            media.clip, "--ads", ads, "--archive", archive, "--json", "--set", "player.adTimeoutSeconds=600",
        ]
        all += arguments
        if !script.isEmpty { all += ["--script", folder.write("script", script)] }
        let result = try await ChildProgram.run(all)
        return (try RecordedRun(archive), result)
    }

    /// The events without what the network and the renditions add.
    private func course(_ run: RecordedRun) -> [String] {
        let others = ["rendition_change", "metadata_change", "request_completed", "request_failed"]
        return run.names.filter { !others.contains($0) }
    }

    @Test("Pre-, mid- and post-roll are played with pictures of their own, and the main content says nothing meanwhile")
    func schedule() async throws {
        let server = try AdServer()
        let said = folder.file("said.jsonl")
        let (run, result) = try await play(
            server.url("vmap.xml"),
            [
                "--vast-tracking", "--plugins", "new-relic-video,mux-data,jsonlines",
                "--set", "plugins.mux-data.config.environmentKey=abc123",
                "--set", "plugins.jsonlines.config.path=\(said)",
            ]
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run) == ["application_launched", "player_ready", "video_load", "play", "ad_break_start"]
                + Self.adEvents + ["ad_break_complete", "first_frame", "ad_break_start"] + Self.adEvents
                + Self.adEvents + ["ad_break_complete", "ad_break_start"] + Self.adEvents
                + ["ad_break_complete", "complete", "video_unload", "application_terminated"]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(run.events("pause").isEmpty)
        #expect(run.events("play").count == 1)
        #expect(run.events("buffer_start").isEmpty)
        try checkBreaks(run)
        let pictures = ShownPictures(run)
        pictures.check(newRelic: try TrackerRecords(said, of: "new-relic-video"))
        pictures.check(mux: try TrackerRecords(said, of: "mux-data"))
        let summary = try result.summary()
        #expect(summary["complete"] == .bool(true))
        // The four seconds of the main content, without the ads.
        #expect((3500..<5000).contains(summary["played_ms"]?.int ?? 0))
        #expect(server.tracked.filter { $0.hasPrefix("pre/") } == Self.tracked("pre"))
        #expect(server.tracked.filter { $0.hasPrefix("second/") } == Self.tracked("second"))
        #expect(server.tracked.filter { $0.hasPrefix("outer/") } == ["outer/impression", "outer/midpoint"])
        #expect(server.tracked.filter { $0.hasSuffix("/breakStart") }.count == 3)
        #expect(server.tracked.filter { $0.hasSuffix("/breakEnd") }.count == 3)
        #expect(!server.tracked.contains { $0.hasSuffix("error") })
    }

    @Test("Macros of ad servers that nobody has filled in do not keep an ad from being fetched, played and told")
    func serverMacros() async throws {
        let server = try AdServer()
        let query = "?c=%%CACHEBUSTER%%&d=5%"
        let media = "<MediaFile type=\"video/mp4; codecs=avc1\"><![CDATA[ad1.mp4\(query)]]></MediaFile>"
        server.write(
            "in.xml",
            AdDocuments.vast(AdDocuments.inline("one", media: media)).replacing(
                "track/one/start",
                with: "<![CDATA[track/one/start\(query)&t=[TIMESTAMP]]]>"
            )
        )
        server.write("main.xml", AdDocuments.wrapper("w", to: "in.xml" + query))
        let (run, result) = try await play(server.url("main.xml"), ["--vast-tracking"], script: "0.1 stop")
        #expect(run.events("ad_complete").count == 1, "\(result.errors)")
        #expect(!result.errors.contains("not a usable address"))
        let asked = server.server.requests.map(\.target)
        for name in ["/in.xml", "/ad1.mp4", "/track/one/start"] {
            #expect(asked.contains { $0.contains("\(name)?c=%25%25CACHEBUSTER%25%25&d=5%25") }, "\(name): \(asked)")
        }
    }

    private static func tracked(_ ad: String) -> [String] {
        ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map { ad + "/" + $0 }
    }

    private func checkBreaks(_ run: RecordedRun) throws {
        let breaks = run.events("ad_break_start")
        try #require(breaks.map { $0.attribute("ad_break_type") } == ["pre", "mid", "post"])
        #expect(breaks.map { $0.attribute("ad_break_position")?.int } == [1, 2, 3])
        let places = breaks.compactMap { $0.attribute("ad_break_start_ms")?.int }
        #expect(places.count == 3 && places.prefix(2) == [0, 2000] && (3900...4100).contains(places[2]), "\(places)")
        #expect(breaks.map { $0.attribute("ad_break_id") } == ["before", "between", "behind"])
        #expect((2000..<2200).contains(breaks[1].state("playhead_ms")?.int ?? 0))
        let ads = run.events("ad_start")
        #expect(ads.map { $0.attribute("ad_id") } == ["pre", "first", "second", "one"])
        #expect(ads.map { $0.attribute("ad_position")?.int } == [1, 1, 2, 1])
        #expect(ads.allSatisfy { (1100..<1400).contains($0.attribute("ad_duration_ms")?.int ?? 0) })
        // An archive has what changed.
        var place: Int64 = 0
        for line in run.lines {
            if line["event"] == "ad_complete" { #expect(place >= 1100) }
            place = line.state("ad_playhead_ms")?.int ?? place
        }
        // The main content stands while a break lasts.
        let edges = run.lines.filter { ["ad_break_start", "ad_break_complete"].contains($0["event"]?.string) }
        #expect(edges.compactMap { $0.state("playhead_ms")?.int }.allSatisfy { $0 < 2200 || $0 > 3800 })
    }
}
