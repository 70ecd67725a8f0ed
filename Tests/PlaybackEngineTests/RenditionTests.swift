import PlaybackEngine
import Testing

struct RenditionTests {
    private let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=290400,RESOLUTION=320x180,CODECS="avc1.42c00c,mp4a.40.2"
        v0.m3u8
        #EXT-X-STREAM-INF:CODECS="a,BANDWIDTH=1",BANDWIDTH=620400,FRAME-RATE=29.970,RESOLUTION=640x360
        v1.m3u8
        """

    private func format(_ width: Int, _ height: Int) -> EngineRendition {
        EngineRendition(width: width, height: height, framesPerSecondMilli: 25_000)
    }

    @Test func aMasterPlaylistNamesSizeRateAndBitrate() {
        #expect(
            MasterPlaylist(text: master).variants == [
                EngineRendition(width: 320, height: 180, bitrate: 290_400),
                EngineRendition(width: 640, height: 360, framesPerSecondMilli: 29_970, bitrate: 620_400),
            ]
        )
        #expect(MasterPlaylist(text: "#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=7\r\nv.m3u8").variants.count == 1)
    }

    @Test func aMediaPlaylistAndRubbishHaveNoVariants() {
        #expect(MasterPlaylist(text: "#EXTM3U\n#EXTINF:2,\nv.m4s\n").variants.isEmpty)
        #expect(MasterPlaylist(text: "#EXT-X-STREAM-INF:BANDWIDTH=,RESOLUTION\n#EXT-X-STREAM-INF:").variants.isEmpty)
    }

    @Test func theSizeOnScreenTellsTheVariantThoughAnotherIsChosenAlready() {
        var tracker = RenditionTracker()
        tracker.variants = MasterPlaylist(text: master).variants
        let choices = [620_400, 620_400, 0].map { tracker.choose(bitrate: $0) }
        #expect(choices == [true, false, false])
        let small = [format(320, 180), format(320, 180)].map { tracker.formatChanged(to: $0) }
        #expect(small == [true, false])
        #expect(tracker.current.bitrate == 290_400)
        let large = tracker.formatChanged(to: format(640, 360))
        #expect(large)
        #expect(tracker.current.bitrate == 620_400)
    }

    @Test func aProgressiveItemCostsTheSumOfItsStreams() {
        var tracker = RenditionTracker()
        _ = tracker.formatChanged(to: format(640, 360))
        #expect(tracker.current.bitrate == nil)
        tracker.streamBitrate(700_000, of: .video)
        tracker.streamBitrate(70_000, of: .audio)
        #expect(tracker.current.bitrate == 770_000)
    }
}
