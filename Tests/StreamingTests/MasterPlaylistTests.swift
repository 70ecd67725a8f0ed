import Streaming
import Testing

struct MasterPlaylistTests {
    @Test("A master playlist names size, rate, bitrate and address of its variants")
    func variants() {
        let text = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=290400,RESOLUTION=320x180,CODECS="avc1.42c00c,mp4a.40.2"
            v0.m3u8
            #EXT-X-STREAM-INF:CODECS="a,BANDWIDTH=1",BANDWIDTH=620400,FRAME-RATE=29.970,RESOLUTION=640x360
            # a comment
            v1.m3u8
            """
        var first = StreamRendition(width: 320, height: 180, bitrate: 290_400)
        first.uri = "v0.m3u8"
        var second = StreamRendition(width: 640, height: 360, framesPerSecondMilli: 29_970, bitrate: 620_400)
        second.uri = "v1.m3u8"
        #expect(MasterPlaylist(text: text).variants == [first, second])
        #expect(MasterPlaylist(text: "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=7\r\nv.m3u8").variants.count == 1)
    }

    @Test("Variants with the same attributes at other addresses take each other's place, whatever groups they name")
    func redundant() {
        let attributes = [
            "BANDWIDTH=1,CODECS=\"avc1\",AUDIO=\"a\"", "BANDWIDTH=1,CODECS=\"hvc1\"", "BANDWIDTH=1",
            "BANDWIDTH=1,CODECS=\"avc1\",AUDIO=\"b\"", "BANDWIDTH=2,CODECS=\"avc1\"", "BANDWIDTH=1,CODECS=\"avc1\"",
        ]
        let lines = zip(attributes, ["v0", "v1", "v2", "v3", "v4", "v0"])
            .map { "#EXT-X-STREAM-INF:\($0)\n\($1).m3u8\n" }
        let master = MasterPlaylist(text: "#EXTM3U\n" + lines.joined())
        #expect(master.variants.indices.map(master.redundant) == [[3], [], [], [0, 5], [], [3]])
    }

    @Test("A media playlist and rubbish have no variants")
    func none() {
        #expect(MasterPlaylist(text: "#EXTM3U\n#EXTINF:2,\nv.m4s\n").variants.isEmpty)
        #expect(MasterPlaylist(text: "#EXT-X-STREAM-INF:BANDWIDTH=,RESOLUTION\n#EXT-X-STREAM-INF:").variants.isEmpty)
    }
}
