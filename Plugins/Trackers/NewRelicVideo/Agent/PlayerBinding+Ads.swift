internal import PluginKit

/// What the events of ads mean.
extension PlayerBinding {
    /// Passes an event of an ad on; one of another kind means nothing.
    func handleAd(_ event: EventView, at moment: Moment) {
        switch event.type {
        case .adBreakStart:
            guard let ad = adTracker(at: moment) else { return }
            ad.ad.forgetBreak()
            ad.ad.take(event.attributes)
            ad.sendAdBreakStart(at: moment)
        case .adBreakComplete: endAdBreak(at: moment)
        case .adStart:
            // A player that does not say that an ad has ended says so with the next one.
            endAd(isSkipped: false, at: moment)
            guard let ad = adTracker(at: moment) else { return }
            ad.ad.forgetAd()
            ad.ad.take(event.attributes)
            startAd(at: moment)
        case .adComplete: endAd(isSkipped: false, at: moment)
        case .adSkip: endAd(isSkipped: true, at: moment)
        case .adClick: ad?.sendAdClick(at: moment)
        case .adQuartile: event.attributes[.adQuartile]?.int.map { showQuartile($0, at: moment) }
        default: break
        }
    }

    /// An ad begins.
    func startAd(at moment: Moment) {
        guard let ad = adTracker(at: moment) else { return }
        ad.rendition = nil
        ad.adQuartile = 0
        ad.isAdSkipped = false
        ad.sendRequest(at: moment)
        ad.sendStart(at: moment)
    }

    /// The ad break is over, and an ad in it that is still on.
    func endAdBreak(at moment: Moment) {
        endAd(isSkipped: false, at: moment)
        guard let ad else { return }
        ad.sendAdBreakEnd(at: moment)
        ad.ad.forgetBreak()
    }

    private func endAd(isSkipped: Bool, at moment: Moment) {
        guard let ad, ad.state.isRequested else { return }
        ad.isAdSkipped = isSkipped
        end(ad, at: moment)
        ad.rendition = nil
        ad.adQuartile = nil
        ad.isAdSkipped = false
        ad.ad.forgetAd()
        resumeContent(at: moment)
    }

    /// Each of the first three quarters is told once; the fourth is the ad's end.
    private func showQuartile(_ quartile: Int64, at moment: Moment) {
        guard let ad, ad.state.isStarted, (1...3).contains(quartile), quartile > ad.adQuartile ?? 0 else { return }
        ad.adQuartile = quartile
        ad.sendAdQuartile(at: moment)
    }
}
