import Streaming
import Testing

/// The segments that a DASH manifest names, by their addresses.
struct DASHSegmentsTests {
    private static func manifest(
        _ sets: String,
        _ attributes: String = "mediaPresentationDuration=\"PT0H0M8.0S\""
    ) -> String {
        "<MPD \(attributes)><BaseURL>media/</BaseURL><Period>\(sets)</Period></MPD>"
    }

    private func read(_ text: String) throws -> DASHSegments {
        let read = DASHSegments(text: text, at: "http://a.example/x.mpd") { reference, base in
            reference.contains("://")
                ? reference
                : base.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                    separator: "/"
                ) + "/" + reference
        }
        return try #require(read)
    }

    private static let numbered = """
        <AdaptationSet contentType="video">
          <SegmentTemplate timescale="1000" duration="1000" startNumber="5" initialization="i-$RepresentationID$.mp4"
            media="v-$RepresentationID$-$Bandwidth%07d$-$Number%05d$.m4s"/>
          <Representation id="lo" bandwidth="300000"/><Representation id="hi" bandwidth="900000"/>
        </AdaptationSet>
        """

    @Test("Numbers are placed in their track, which inherits what its set says")
    func numbers() throws {
        let segments = try read(Self.manifest(Self.numbered))
        let (track, index) = try #require(segments.segment(at: "http://a.example/media/v-hi-0900000-00007.m4s"))
        #expect(index == 2 && track.set == "0/0" && !track.isText && track.count == 8)
        #expect(track.initialization == "http://a.example/media/i-hi.mp4")
        #expect(track.address(of: 7) == "http://a.example/media/v-hi-0900000-00012.m4s")
        #expect(track.address(of: 8) == nil && track.address(of: -1) == nil)
        #expect(track.distanceUs(from: 2, to: 5) == 3_000_000)
        for none in [
            "v-hi-0900000-00004.m4s", "v-hi-0900000-00013.m4s", "v-no-0900000-00007.m4s", "i-hi.mp4",
            "v-hi-0900000-7.m4s",
        ] {
            #expect(segments.segment(at: "http://a.example/media/" + none) == nil, "\(none)")
        }
        #expect(!segments.isDynamic)
    }

    @Test("A timeline says how many there are and when, by numbers and by times, with repetitions and jumps")
    func timelines() throws {
        for name in ["Number", "Time"] {
            let set = """
                <AdaptationSet><Representation id="a"><BaseURL>http://b.example/r/</BaseURL>
                <SegmentTemplate timescale="10" media="$\(name)$.m4s"><SegmentTimeline>
                <S t="0" d="20" r="1"/><S t="50" d="10" r="-1"/></SegmentTimeline></SegmentTemplate></Representation>
                </AdaptationSet>
                """
            let segments = try read(Self.manifest(set))
            let name = name == "Time" ? "60" : "4"
            let (track, index) = try #require(segments.segment(at: "http://b.example/r/\(name).m4s"))
            // 0, 2, 5, 6 and 7 s.
            #expect(index == 3 && track.count == 5 && track.initialization == nil)
            #expect(track.distanceUs(from: 1, to: 3) == 4_000_000)
        }
    }

    @Test("Lists have segments, ranges of one file are none, and a text may be one file")
    func lists() throws {
        let list = "<SegmentList duration=\"2\"><Initialization sourceURL=\"i.mp4\"/><SegmentURL media=\"a.mp4\"/>"
        let sets =
            "<AdaptationSet><Representation>\(list)<SegmentURL media=\"b.mp4\"/></SegmentList></Representation></AdaptationSet>"
            + "<AdaptationSet mimeType=\"text/vtt\"><Representation><BaseURL>t.vtt</BaseURL></Representation></AdaptationSet>"
            + "<AdaptationSet><Representation><BaseURL>one.mp4</BaseURL><SegmentBase/></Representation></AdaptationSet>"
        let segments = try read(Self.manifest(sets))
        let (track, index) = try #require(segments.segment(at: "http://a.example/media/b.mp4"))
        #expect(index == 1 && track.count == 2 && track.initialization == "http://a.example/media/i.mp4")
        let text = try #require(segments.segment(at: "http://a.example/media/t.vtt"))
        #expect(text.track.isText && text.index == 0)
        #expect(segments.segment(at: "http://a.example/media/one.mp4") == nil)
    }

    @Test("A live stream has as many as come, and what is no manifest has none")
    func others() throws {
        let live = try read(Self.manifest(Self.numbered, "type=\"dynamic\""))
        let (track, index) = try #require(live.segment(at: "http://a.example/media/v-lo-0300000-99999.m4s"))
        #expect(live.isDynamic && index == 99_994 && track.count == nil)
        for text in ["", "#EXTM3U", "<html/>", "<MPD>"] {
            #expect(DASHSegments(text: text, at: "http://a/") { reference, _ in reference } == nil)
        }
        for media in ["a", "$Number$$Number$", "$Number%9d$", "$Unknown$-$Number$", "$Number"] {
            let set =
                "<AdaptationSet><SegmentTemplate duration=\"1\" media=\"\(media)\"/><Representation/></AdaptationSet>"
            #expect(try read(Self.manifest(set)).tracks.isEmpty, "\(media)")
        }
    }
}
