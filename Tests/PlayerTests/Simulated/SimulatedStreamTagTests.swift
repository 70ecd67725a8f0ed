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
}
