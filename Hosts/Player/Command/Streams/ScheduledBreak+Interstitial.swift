internal import Advertising
internal import Streaming

extension ScheduledBreak {
    /// What a playlist at `base` wants shown at a place of the main content; nil when it names nothing that it may.
    init?(_ interstitial: Interstitial, atMs placeMs: Int64, base: String) {
        let source: AdSource
        switch interstitial.asset {
        case .uri(let uri):
            guard let location = AdLocation.resolve(uri, from: base) else { return nil }
            source = .asset(location, durationMs: interstitial.durationUs.map { $0 / 1000 })
        case .list(let uri):
            guard let location = AdLocation.resolve(uri, from: base) else { return nil }
            source = .assetList(location)
        }
        let offset: AdBreakOffset =
            switch interstitial.cue {
            case .pre: .start
            case .post: .end
            case .date: .time(max(0, placeMs))
            }
        self.init(offset: offset, source: source)
        id = interstitial.id
        var rules = InterstitialRules()
        rules.resumeOffsetMs = interstitial.resumeOffsetUs.map { $0 / 1000 }
        rules.playoutLimitMs = interstitial.playoutLimitUs.map { $0 / 1000 }
        rules.isSkippable = interstitial.isSkippable
        rules.resumesAtSegment = interstitial.snapsIn
        self.rules = rules
    }
}
