import Streaming
import Testing

struct DASHManifestTests {
    private let text = """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- made by a <test> -->
        <mpd:MPD xmlns:mpd="urn:mpeg:dash:schema:mpd:2011" a='x "y" > z'
            type = "dynamic" availabilityStartTime="2026-01-17T12:00:00.250Z"
            minBufferTime="PT2.0S"><Period type="static">
        <AdaptationSet contentType="video" frameRate="30000/1001">
          <Representation id="0" bandwidth="60000" width="160" height="90"/>
          <Representation id="1" bandwidth="400000" width="320" height="180" frameRate="25"><Unknown/></Representation>
        </AdaptationSet><AdaptationSet contentType="audio"><Representation bandwidth="32000"/></AdaptationSet>
        </Period></mpd:MPD>
        """

    @Test("A live manifest says so, and when its stream began")
    func live() throws {
        let manifest = try #require(DASHManifest(text: text))
        #expect(manifest.isDynamic)
        #expect(manifest.availabilityStartUs == 1_768_651_200_250_000)
        let timeline = ProgramTimeline(startUs: 1_768_651_200_250_000)
        #expect(timeline.wallClockMs(atMs: 9750) == 1_768_651_210_000)
        #expect(timeline.positionMs(ofUs: 1_768_651_210_000_000) == 9750)
        #expect(timeline.liveEdgeMs == nil)
    }

    @Test("The forms of the picture have size, rate and bitrate, also those that their set says")
    func pictures() throws {
        let manifest = try #require(DASHManifest(text: text))
        #expect(manifest.pictures.map(\.bitrate) == [60_000, 400_000])
        #expect(manifest.pictures.map(\.height) == [90, 180])
        #expect(manifest.pictures.map(\.framesPerSecondMilli) == [29_970, 25_000])
    }

    @Test("Events that mark ads are known by their schemes, each once, in periods and in media")
    func ads() throws {
        let manifest = try #require(
            DASHManifest(
                text: """
                    <MPD><Period><EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin"/><EventStream/>
                    <AdaptationSet><InbandEventStream schemeIdUri="urn:scte:scte35:2013:bin"/>
                    <InbandEventStream schemeIdUri="urn:mpeg:dash:event:2012"/><Representation>
                    <InbandEventStream schemeIdUri="urn:google:dai:2018"/></Representation></AdaptationSet></Period>
                    <Period><EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin"/>
                    <EventStream schemeIdUri="urn:mpeg:dash:event:alternativeMPD:insert:2025"/></Period></MPD>
                    """
            )
        )
        let alternative = "urn:mpeg:dash:event:alternativeMPD:insert:2025"
        let streams = ["urn:scte:scte35:2014:xml+bin", alternative]
        #expect(manifest.adSchemes == streams + ["urn:scte:scte35:2013:bin", "urn:google:dai:2018"])
        #expect(try #require(DASHManifest(text: text)).adSchemes.isEmpty)
    }

    @Test("A recording is no live stream, and what is no manifest is none")
    func others() throws {
        let recording = try #require(DASHManifest(text: "<MPD type=\"static\" mediaPresentationDuration=\"PT8S\"/>"))
        #expect(!recording.isDynamic)
        #expect(recording.availabilityStartUs == nil)
        for text in ["", "#EXTM3U", "<html><MPD></html>", "<", "<?xml", "MPD", "<MPD type", "<MPD type=dynamic>"] {
            #expect(DASHManifest(text: text) == nil, "\(text)")
        }
    }

    @Test("2,000 damaged manifests are read, or not, and nothing else happens")
    func damaged() {
        let source = Array(text.utf8)
        var random = Random(state: 21)
        var read = 0
        for _ in 0..<2000 {
            var bytes = source
            for _ in 0...random.next(8) {
                let place = Int(random.next(UInt64(bytes.count)))
                switch random.next(3) {
                case 0: bytes[place] = UInt8(random.next(256))
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: source[..<Int(random.next(UInt64(source.count)))], at: place)
                }
            }
            if DASHManifest(text: String(decoding: bytes, as: UTF8.self)) != nil { read += 1 }
        }
        #expect(read > 60)
    }
}
