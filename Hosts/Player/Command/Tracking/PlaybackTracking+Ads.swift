internal import Tally

// The course of an ad, whoever shows it: the player itself, or the stream.
extension PlaybackTracking {
    func adBreakStarted(_ info: AdSnapshot.Break, playheadMs: Int64? = nil) {
        snapshot.with { snapshot in
            snapshot.playheadMs = playheadMs ?? snapshot.playheadMs
            snapshot.ad = AdSnapshot(adBreak: info)
        }
        track(run.trackAdBreakStart())
    }

    func adBreakEnded() {
        track(run.trackAdBreakComplete())
        snapshot.with { $0.ad = nil }
    }

    func adStarted(_ ad: AdSnapshot.Ad, playheadMs: Int64 = 0) {
        snapshot.with { snapshot in
            snapshot.ad?.ad = ad
            snapshot.hasShownAd = snapshot.hasShownAd || ad.rendition != nil
            snapshot.ad?.playheadMs = playheadMs
        }
        figures.with { $0.ads += 1 }
        track(run.trackAdStart())
    }

    /// A quarter, half or three quarters of the ad were shown: 1, 2 or 3.
    func adReached(quartile number: Int) {
        if let quartile = AdQuartile(rawValue: Int64(number)) { track(run.trackAdQuartile(quartile)) }
    }

    /// The ad is shown to its end, which is a place too; trackers that follow samples have it before the ad is over.
    func adEnds(atMs playheadMs: Int64) {
        snapshot.with { $0.ad?.playheadMs = playheadMs }
        track(run.trackPlayhead())
    }

    func adLeft() {
        snapshot.with { snapshot in
            snapshot.ad?.ad = nil
            snapshot.ad?.playheadMs = nil
        }
    }
}
