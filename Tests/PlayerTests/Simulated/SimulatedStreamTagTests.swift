internal import ChildPrograms
internal import PlaybackEngine
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// What tags of a stream's playlists do to a run, with simulated engines.
struct SimulatedStreamTagTests {
    private static let ad = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]
    private let player = SimulatedPlayer()

    /// A finished stream of eight seconds; `tags` stand before the segment of their number.
    private func recording(_ head: String = "", _ tags: [Int: String] = [:], name: String = "vod.m3u8") -> String {
        let url = "http://media.example/" + name
        let segments = (0..<8).map { (tags[$0].map { $0 + "\n" } ?? "") + "#EXTINF:1.000,\nseg\($0).ts\n" }.joined()
        player.web.put(.init("#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(head)\(segments)#EXT-X-ENDLIST\n"), at: url)
        player.web.put(.stream(durationMs: 8000), at: url)
        return url
    }

    private func course(_ run: RecordedRun) -> [String] {
        run.names.filter { $0.hasPrefix("ad_") || $0.hasPrefix("seek") || ["first_frame", "complete"].contains($0) }
    }

    private func firstPlace(_ run: RecordedRun) -> Int64? {
        run.lines.first { $0["event"] == "first_frame" }?.state("playhead_ms")?.int
    }

    @Test("A break that cues mark is a break with an ad, in a stream without a date")
    func cues() throws {
        let (run, result) = try player.record([recording("", [2: "#EXT-X-CUE-OUT:6", 5: "#EXT-X-CUE-IN"])])
        #expect(result.code == 0, "\(result.errors)")
        #expect(course(run) == ["first_frame", "ad_break_start"] + Self.ad + ["ad_break_complete", "complete"])
        let begin = try #require(run.event("ad_break_start"))
        #expect(begin.attribute("ad_break_start_ms") == .int(2000) && begin.attribute("ad_break_id") == "cue-2")
        #expect(run.event("ad_start")?.attribute("ad_duration_ms") == .int(3000))
        #expect(!run.lines.contains { $0.state("live_wall_ms") != nil })
    }

    @Test("A stream begins where its playlist says, and no seek is told")
    func start() throws {
        let (run, result) = try player.record([recording("#EXT-X-START:TIME-OFFSET=-2.5,PRECISE=YES\n"), "--json"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(course(run) == ["first_frame", "complete"])
        #expect((5500..<5700).contains(firstPlace(run) ?? 0), "\(firstPlace(run) ?? -1)")
        #expect(try result.summary()["seeks"] == .int(0))
    }

    @Test("Where the media playlist of a master says it, playback begins there too")
    func startBelowMaster() throws {
        let media = recording("#EXT-X-START:TIME-OFFSET=3.5\n", name: "v.m3u8")
        let master = "http://media.example/master.m3u8"
        player.web.put(.init("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"), at: master)
        var stream = SimulatedMedia.stream(durationMs: 8000)
        stream.playlists = [media]
        player.web.put(stream, at: master)
        let (run, result) = try player.record([master])
        #expect(result.code == 0, "\(result.errors)")
        #expect(course(run) == ["first_frame", "complete"])
        #expect((3000..<3200).contains(firstPlace(run) ?? 0), "\(firstPlace(run) ?? -1)")
    }

    @Test("What the command line says goes before the playlist, from the end too, and a script's seek before both")
    func toldOtherwise() throws {
        let source = recording("#EXT-X-START:TIME-OFFSET=5\n")
        let (told, result) = try player.record([source, "--start", "-6"])
        #expect(result.code == 0, "\(result.errors)")
        #expect((2000..<2200).contains(firstPlace(told) ?? 0))
        let (file, _) = try player.record([player.clip, "--start", "2.5"])
        #expect((2500..<2700).contains(firstPlace(file) ?? 0))
    }

    @Test("A place at or behind the end is told, and playback begins at the beginning, of a stream as of a file")
    func behindEnd() throws {
        for (source, start) in [
            (recording(), "8"), (recording("#EXT-X-START:TIME-OFFSET=99,PRECISE=YES\n"), nil),
            (player.clip, "4"), (player.clip, "3.99"), (player.clip, "9"),
        ] {
            let (run, result) = try player.record([source] + (start.map { ["--start", $0] } ?? []))
            #expect(result.code == 0, "\(result.errors)")
            #expect(course(run) == ["first_frame", "complete"], "\(source) \(start ?? "")")
            #expect((0..<200).contains(firstPlace(run) ?? -1), "\(source) \(start ?? "")")
            #expect(warnings(result, "playback begins at the beginning: ") == 1, "\(result.errors)")
        }
        let (run, result) = try player.record([player.clip, "--start", "3.9"])
        #expect((3900..<4100).contains(firstPlace(run) ?? 0) && warnings(result, "playback begins") == 0)
    }

    @Test("Ads that a DASH manifest marks are told once, and playback goes on without them")
    func dashAds() throws {
        let url = "http://media.example/ads.mpd"
        let event = "<EventStream schemeIdUri=\"urn:scte:scte35:2014:xml+bin\"/>"
        player.web.put(.init("<MPD><Period>\(event)\(event)</Period></MPD>"), at: url)
        player.web.put(.stream(durationMs: 2000), at: url)
        let (run, result) = try player.record([url])
        #expect(result.code == 0, "\(result.errors)")
        #expect(course(run) == ["first_frame", "complete"])
        #expect(warnings(result, "ads that the DASH manifest marks (urn:scte:scte35:2014:xml+bin)") == 1)
    }

    @Test("A playlist that is cut off behind a segment's duration is told once, and played without that segment")
    func cutOff() throws {
        let url = "http://media.example/cut.m3u8"
        let whole = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nseg0.ts\n"
        let cuts = [0, 1, 2].map { "#EXT-X-VERSION:\($0)\n#EXTINF:1,\n" }
        player.web.put(.init(whole + cuts[0]), .init(whole + cuts[1]), .init(whole + cuts[2]), at: url)
        player.web.put(.stream(durationMs: 4000), at: url)
        let (run, result) = try player.record([url])
        #expect(result.code == 0, "\(result.errors)")
        #expect(course(run) == ["first_frame", "complete"])
        #expect(warnings(result, "a media playlist ends behind #EXTINF") == 1, "\(result.errors)")
    }

    private func warnings(_ result: ChildProgram.Outcome, _ text: String) -> Int {
        result.errors.split(separator: "\n").count { $0.contains("warning: " + text) }
    }
}
