package import Streaming

/// Turns counters of the engine into regular samples with totals that never fall.
package struct QualityMeter: Sendable {
    private let intervalNs: Int64
    /// Frames dropped since the load.
    package private(set) var droppedTotal: Int64 = 0
    private var droppedByElement: [UInt: Int64] = [:]
    private var lastSample: (timeNs: Int64, renderedFrames: Int64)?
    private var nextSampleNs: Int64 = 0

    /// Creates a meter that gives a sample at most once in an interval.
    package init(intervalNs: Int64) {
        self.intervalNs = intervalNs
    }

    /// Starts a new stretch of playback: the next sample comes at once and measures no frame rate.
    package mutating func restart() {
        lastSample = nil
        nextSampleNs = 0
    }

    /// Makes the next sample due at once.
    package mutating func hasten() { nextSampleNs = 0 }

    /// Takes an element's total at each drop; it counts anew after a flush, so a total that did not grow is one drop.
    package mutating func framesDropped(element: UInt, total: Int64) {
        let last = droppedByElement[element] ?? 0
        droppedByElement[element] = total
        droppedTotal += total > last ? total - last : 1
    }

    /// The sample that is due, or nil.
    package mutating func sample(_ poll: EnginePoll, rendition: StreamRendition, at timeNs: Int64) -> EngineQuality? {
        guard timeNs >= nextSampleNs else { return nil }
        var sample = EngineQuality()
        sample.rendition = rendition
        sample.throughput = poll.throughput
        sample.droppedFrames = droppedTotal
        sample.renderedFrames = poll.renderedFrames
        sample.bufferedMs = poll.bufferedMs
        if let lastSample, timeNs > lastSample.timeNs {
            let frames = Double(poll.renderedFrames - lastSample.renderedFrames)
            let seconds = Double(timeNs - lastSample.timeNs) / 1_000_000_000
            sample.measuredFramesPerSecondMilli = Int64((frames * 1000 / seconds).rounded())
        }
        lastSample = (timeNs, poll.renderedFrames)
        nextSampleNs = timeNs + intervalNs
        return sample
    }
}
