/// Works out the figures of a view (generation B, `QOE_AGGREGATE`).
///
/// Times are in ms. It begins with a request and is done with the end; before and between there is nothing to tell.
package struct QualityAggregate: Sendable {
    /// Whether a view is going on.
    package private(set) var isActive = false

    private var figures: QualityFigures
    private var last: (figures: QualityFigures, playtime: Int64)?
    private var requestedAt: Int64 = 0
    private var isStarted: Bool { figures.startupTime != nil }
    private let platform: Platform
    private var adTimeBeforeStart: Int64 = 0
    private var bufferedSince: Int64?
    private var hasBuffered = false
    private var pausedSince: Int64?
    private var bitrate: Int64?
    private var weightedBits = 0.0
    private var weightedTime: Int64 = 0
    private var lastRate: Int64?
    private var rateSum = 0.0
    private var rateCount: Int64 = 0
    private var sizes: [(Int64, Int64)] = []

    /// Begins with no view; the figures are those of the platform's agent.
    package init(_ platform: Platform) {
        self.platform = platform
        figures = QualityFigures(platform)
    }

    /// A view begins.
    package mutating func request(at now: Int64) {
        self = QualityAggregate(platform)
        isActive = true
        requestedAt = now
    }

    /// The stream starts.
    package mutating func start(at now: Int64) {
        guard isActive else { return }
        figures.startupTime = max(now - requestedAt - adTimeBeforeStart, 0)
    }

    /// An ad has ended that was on for so long.
    package mutating func adEnded(after duration: Int64) {
        guard isActive, !isStarted else { return }
        adTimeBeforeStart += duration
    }

    /// Playback waits for data.
    package mutating func bufferStart(at now: Int64) { bufferedSince = now }

    /// The data is there; the first wait of a view is its start and does not count.
    package mutating func bufferEnd(at now: Int64) {
        defer { bufferedSince = nil }
        guard isActive, let bufferedSince else { return }
        if hasBuffered { figures.totalRebufferingTime += max(now - bufferedSince, 0) }
        hasBuffered = true
    }

    /// Playback is paused; a pause for ads does not count.
    package mutating func pause(at now: Int64, isForAds: Bool) { pausedSince = isForAds ? nil : now }

    /// Playback goes on.
    package mutating func resume(at now: Int64) {
        if isActive, let pausedSince { figures.totalPauseTime += max(now - pausedSince, 0) }
        pausedSince = nil
    }

    /// Something failed.
    package mutating func error() {
        guard isActive else { return }
        if isStarted { figures.hadPlaybackError = true } else { figures.hadStartupError = true }
    }

    /// The rendition changed.
    package mutating func change(_ shift: RenditionShift?) {
        guard isActive else { return }
        switch shift {
        case .up: figures.switchesUp += 1
        case .down: figures.switchesDown += 1
        case nil: break
        }
    }

    /// Counts what an event of the content tells: `played` ms since the one before, at the bitrate that held then.
    ///
    /// Many players say 0 for what they do not know: it measures nothing.
    package mutating func sample(played: Int64, bitrate: Int64?, downloadRate: Int64?, size: (Int64, Int64)?) {
        guard isActive else { return }
        if let known = self.bitrate, played > 0 {
            weightedBits += Double(known) * Double(played)
            weightedTime += played
        }
        if let bitrate, bitrate > 0 {
            self.bitrate = bitrate
            figures.peakBitrate = max(figures.peakBitrate ?? bitrate, bitrate)
        }
        if let downloadRate { sample(downloadRate) }
        if let size, size.0 > 0, size.1 > 0, !sizes.contains(where: { $0 == size }) {
            sizes.append(size)
            figures.renditions = Int64(sizes.count)
        }
    }

    /// A rate counts that is positive and differs from the one before.
    private mutating func sample(_ rate: Int64) {
        guard rate > 0, rate != lastRate else { return }
        lastRate = rate
        rateSum += Double(rate)
        rateCount += 1
        figures.lowestDownloadRate = min(figures.lowestDownloadRate ?? rate, rate)
        figures.highestDownloadRate = max(figures.highestDownloadRate ?? rate, rate)
        figures.averageDownloadRate = Int64(rateSum / Double(rateCount) + 0.5)
    }

    /// Leaves out ms in which the machine slept.
    package mutating func skip(_ length: Int64) {
        requestedAt += length
        if let bufferedSince { self.bufferedSince = bufferedSince + length }
        if let pausedSince { self.pausedSince = pausedSince + length }
    }

    /// The figures at an instant, with the pause that is still open; `playtime` is the time played in this view.
    package func figures(at now: Int64, playtime: Int64) -> QualityFigures {
        var current = figures
        if let pausedSince { current.totalPauseTime += max(now - pausedSince, 0) }
        if weightedTime > 0 { current.averageBitrate = Int64(weightedBits / Double(weightedTime) + 0.5) }
        if playtime > 0 { current.rebufferingRatio = Double(current.totalRebufferingTime) / Double(playtime) * 100 }
        return current
    }

    /// The figures, unless there is no view, or they are those that were told last and the view goes on.
    package mutating func news(at now: Int64, playtime: Int64, isFinal: Bool = false) -> QualityFigures? {
        guard isActive else { return nil }
        let current = figures(at: now, playtime: playtime)
        if !isFinal, let last, last == (current, playtime) { return nil }
        last = (current, playtime)
        return current
    }
}
