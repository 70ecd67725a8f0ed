/// The three quarters of an ad that are told while it goes on; the fourth is its end.
public enum AdQuartile: Int64, Sendable {
    /// A quarter was shown.
    case first = 1
    /// Half was shown.
    case second
    /// Three quarters were shown.
    case third
}

// Ads and chapters (Adobe VHL 1.4, "Ad Tracking", "Chapter Tracking"; breaks as in 1.3.1).
extension PlayerRun {
    /// A pod of ads begins.
    @discardableResult
    public func trackAdBreakStart() -> TrackResult { track(.adBreakStart) }

    /// The pod is over.
    @discardableResult
    public func trackAdBreakComplete() -> TrackResult { track(.adBreakComplete) }

    /// An ad begins.
    ///
    /// Do not call ``trackPause()`` for the main content: trackers that want it derive it.
    @discardableResult
    public func trackAdStart() -> TrackResult { track(.adStart) }

    /// The ad has played to its end.
    @discardableResult
    public func trackAdComplete() -> TrackResult { track(.adComplete) }

    /// The viewer skipped the ad.
    @discardableResult
    public func trackAdSkip() -> TrackResult { track(.adSkip) }

    /// The viewer clicked on the ad.
    @discardableResult
    public func trackAdClick() -> TrackResult { track(.adClick) }

    /// A quarter of the ad was shown.
    @discardableResult
    public func trackAdQuartile(_ quartile: AdQuartile) -> TrackResult {
        track(.adQuartile) { $0.set(.adQuartile, quartile.rawValue) }
    }

    /// An ad, an ad break or an ad request failed.
    @discardableResult
    public func trackAdError(_ errorId: String, _ details: PlayerErrorDetails = .init()) -> TrackResult {
        track(.adError, errorId, details)
    }

    /// A chapter begins.
    @discardableResult
    public func trackChapterStart() -> TrackResult { track(.chapterStart) }

    /// The chapter is over.
    @discardableResult
    public func trackChapterComplete() -> TrackResult { track(.chapterComplete) }

    /// The chapter was left before its end.
    @discardableResult
    public func trackChapterSkip() -> TrackResult { track(.chapterSkip) }
}
