import PlaybackEngine
import Streaming
import Testing

struct QualityMeterTests {
    private func poll(rendered: Int64) -> EnginePoll {
        var poll = EnginePoll()
        poll.renderedFrames = rendered
        return poll
    }

    @Test func droppedFramesAreARunningTotalThoughElementsStartAgain() {
        var meter = QualityMeter(intervalNs: 0)
        meter.framesDropped(element: 1, total: 3)
        meter.framesDropped(element: 2, total: 2)
        meter.framesDropped(element: 1, total: 4)
        meter.framesDropped(element: 1, total: 1)
        meter.framesDropped(element: 1, total: 1)
        let sample = meter.sample(poll(rendered: 9), rendition: StreamRendition(), at: 1)
        #expect(sample?.droppedFrames == 8)
    }

    @Test func theFrameRateIsMeasuredBetweenSamplesOfOneStretch() {
        var meter = QualityMeter(intervalNs: 1_000_000_000)
        let first = meter.sample(poll(rendered: 10), rendition: StreamRendition(), at: 1)
        #expect(first != nil)
        #expect(first?.measuredFramesPerSecondMilli == nil)
        #expect(meter.sample(poll(rendered: 11), rendition: StreamRendition(), at: 900_000_000) == nil)
        let second = meter.sample(poll(rendered: 60), rendition: StreamRendition(), at: 2_000_000_001)
        #expect(second?.measuredFramesPerSecondMilli == 25_000)
        meter.restart()
        let third = meter.sample(poll(rendered: 61), rendition: StreamRendition(), at: 2_000_000_002)
        #expect(third != nil)
        #expect(third?.measuredFramesPerSecondMilli == nil)
    }
}
