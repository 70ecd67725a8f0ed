/// How far an ad was shown: what is to be told of it, each once.
package struct AdCourse: Sendable {
    /// What an ad reached.
    package enum Milestone: Sendable, Equatable {
        /// A quarter, half or three quarters: 1, 2 or 3.
        case quartile(Int)
        /// A place that somebody wants to hear of.
        case progress(url: String)
    }

    private let progress: [AdTracking.Progress]
    private let skipOffset: AdOffset?
    private var durationMs: Int64?
    private var positionMs: Int64 = 0
    private var quartiles = 0
    private var toldProgress: Set<Int> = []

    /// An ad of which nothing was shown.
    package init(_ ad: LinearAd) {
        progress = ad.tracking.progress
        skipOffset = ad.skipOffset
        durationMs = ad.durationMs
    }

    /// An ad of which nothing is known but its duration, and of which nothing was shown.
    package init(durationMs: Int64?) {
        progress = []
        skipOffset = nil
        self.durationMs = durationMs
    }

    /// The media says how long it is, which counts more than what the document announced.
    package mutating func measured(durationMs newDuration: Int64) {
        if newDuration > 0 { durationMs = newDuration }
    }

    /// The ad was shown up to a place: what it reached, in its order.
    package mutating func moved(toMs newPosition: Int64) -> [Milestone] {
        positionMs = max(positionMs, newPosition)
        var reached: [(Int64, Milestone)] = []
        if let durationMs, durationMs > 0 {
            while quartiles < 3, positionMs >= durationMs * Int64(quartiles + 1) / 4 {
                quartiles += 1
                reached.append((durationMs * Int64(quartiles) / 4, .quartile(quartiles)))
            }
        }
        for (index, entry) in progress.enumerated() where !toldProgress.contains(index) {
            guard let place = entry.offset.milliseconds(ofDuration: durationMs), place <= positionMs else { continue }
            toldProgress.insert(index)
            reached.append((place, .progress(url: entry.url)))
        }
        return reached.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
    }

    /// The ad was shown to its end: what was not told yet.
    package mutating func ended() -> [Milestone] { moved(toMs: durationMs ?? positionMs) }

    /// How long the viewer must still wait to skip it; nil when it cannot be skipped.
    package var msUntilSkippable: Int64? {
        guard let skipOffset, let place = skipOffset.milliseconds(ofDuration: durationMs) else { return nil }
        return max(0, place - positionMs)
    }
}
