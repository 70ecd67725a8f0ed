import PlaybackEngine
import Streaming
import Testing

struct RenditionTests {
    private let variants = [
        StreamRendition(width: 320, height: 180, bitrate: 290_400),
        StreamRendition(width: 640, height: 360, framesPerSecondMilli: 29_970, bitrate: 620_400),
    ]

    private func format(_ width: Int, _ height: Int) -> StreamRendition {
        StreamRendition(width: width, height: height, framesPerSecondMilli: 25_000)
    }

    @Test func theSizeOnScreenTellsTheVariantThoughAnotherIsChosenAlready() {
        var tracker = RenditionTracker()
        tracker.variants = variants
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
