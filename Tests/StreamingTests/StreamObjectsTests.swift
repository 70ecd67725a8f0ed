import Streaming
import Testing

struct StreamObjectsTests {
    private typealias Object = StreamObjects.Object

    private static let manifest = """
        <?xml version="1.0"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period>
        <AdaptationSet contentType="video">
          <SegmentTemplate timescale="1000" duration="2000" initialization="init-$RepresentationID$.m4s"
            media="chunk-$RepresentationID$-$Number%05d$.m4s"/>
          <Representation id="0" mimeType="video/mp4" bandwidth="300000" width="320" height="180"/>
          <Representation id="1" mimeType="video/mp4" bandwidth="900000" width="640" height="360"/>
        </AdaptationSet>
        <AdaptationSet>
          <Representation id="snd" mimeType="audio/mp4" bandwidth="64000">
            <SegmentTemplate initialization="$RepresentationID$/i.mp4" media="$RepresentationID$/$Time$.m4s"/>
          </Representation>
        </AdaptationSet></Period></MPD>
        """

    @Test(
        "A DASH manifest says what its addresses name",
        arguments: [
            ("http://a.example/x/chunk-1-00003.m4s?t=1", Object(kind: .video, bitrate: 900_000, durationMs: 2000)),
            ("http://a.example/x/chunk-0-00003.m4s", Object(kind: .video, bitrate: 300_000, durationMs: 2000)),
            ("http://a.example/x/init-0.m4s", Object(kind: .initialization)),
            ("http://a.example/x/snd/48000.m4s", Object(kind: .audio, bitrate: 64_000)),
            ("http://a.example/x/snd/i.mp4", Object(kind: .initialization)),
            ("http://a.example/x/other.m4s", nil),
        ] as [(String, StreamObjects.Object?)]
    )
    func dash(url: String, object: StreamObjects.Object?) throws {
        let objects = try #require(StreamObjects(manifest: Self.manifest))
        #expect(objects.isDASH && objects.topBitrate == 900_000 && objects.lowestBitrate == 300_000)
        #expect(objects.object(at: url) == object)
    }

    @Test("Segments of a master playlist have all, unless the sound comes apart")
    func master() throws {
        let variants = "#EXT-X-STREAM-INF:BANDWIDTH=300000\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=900000\nb.m3u8\n"
        let objects = try #require(StreamObjects(manifest: "#EXTM3U\n" + variants))
        #expect(!objects.isDASH && objects.topBitrate == 900_000 && objects.lowestBitrate == 300_000)
        #expect(objects.object(at: "http://a.example/s0.m4s") == Object(kind: .muxed))
        #expect(objects.object(at: "http://a.example/init_0.mp4") == Object(kind: .initialization))
        #expect(objects.object(at: "http://a.example/s0.vtt") == Object(kind: .captions))
        let group = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"en\",URI=\"en.m3u8\"\n"
        let apart = try #require(StreamObjects(manifest: "#EXTM3U\n" + group + variants))
        #expect(apart.object(at: "http://a.example/s0.m4s") == nil)
    }

    @Test("A media playlist says how long its segments are, and what they begin with")
    func media() throws {
        let text = "#EXTM3U\n#EXT-X-MAP:URI=\"head.mp4\"\n#EXTINF:3.9996,\ns0.m4s\n#EXTINF:2,\ns1.m4s\n"
        let objects = try #require(StreamObjects(manifest: text))
        #expect(objects.object(at: "http://a.example/s0.m4s") == Object(durationMs: 4000))
        #expect(objects.object(at: "http://a.example/head.mp4") == Object(kind: .initialization))
        #expect(StreamObjects(manifest: "<html/>") == nil)
    }
}
