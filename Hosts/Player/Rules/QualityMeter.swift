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

/// Position and counters at one moment.
package struct EnginePoll: Sendable {
    /// The playhead, nil while the engine does not know it.
    package var positionMs: Int64?
    /// Frames shown since the load.
    package var renderedFrames: Int64 = 0
    /// Pictures that went into the video decoders since the load or the last flush.
    package var decoderInput: Int64 = 0
    /// Pictures that came out of them since then.
    package var decoderOutput: Int64 = 0
    /// Measured throughput in bits per second.
    package var throughput: Int64?
    /// Media buffered ahead.
    package var bufferedMs: Int64?
    /// The next stretch of which no stream has media, once what comes behind it is there.
    package var hole: Range<Int64>?

    /// Creates a poll in which nothing is known.
    package init() {}
}

/// One sample of what the viewer gets.
package struct EngineQuality: Sendable, Equatable {
    /// The visible rendition: size, nominal frame rate and bitrate.
    package var rendition = StreamRendition()
    /// Measured throughput of the network in bits per second; adaptive streams only.
    package var throughput: Int64?
    /// Frames per 1000 seconds that were really shown since the sample before, nil in the first sample.
    package var measuredFramesPerSecondMilli: Int64?
    /// Frames dropped since the load; never falls.
    package var droppedFrames: Int64 = 0
    /// Frames shown since the load; never falls.
    package var renderedFrames: Int64 = 0
    /// Media buffered ahead of the playhead; adaptive streams only.
    package var bufferedMs: Int64?

    /// Creates a sample of which nothing is known.
    package init() {}
}
