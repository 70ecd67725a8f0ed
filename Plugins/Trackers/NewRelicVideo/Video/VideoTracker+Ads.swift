internal import PluginKit

/// The senders that only ads have, and what an ad does to the content's tracker.
extension VideoTracker {
    /// An ad break begins; its ad play time does too.
    package func sendAdBreakStart(at moment: Moment) {
        guard state.isAd, state.goAdBreakStart() else { return }
        identifiers.beginNextBreak()
        totalAdPlaytime = 0
        event(Action(.adBreakStart), at: moment)
    }

    /// The ad break is over.
    package func sendAdBreakEnd(at moment: Moment) {
        guard state.isAd, state.goAdBreakEnd() else { return }
        event(Action(.adBreakEnd), at: moment)
    }

    /// A quarter of the ad has been shown; legal always.
    package func sendAdQuartile(at moment: Moment) {
        guard state.isAd else { return }
        event(Action(.adQuartile), at: moment)
    }

    /// The viewer clicked on the ad; legal always.
    package func sendAdClick(at moment: Moment) {
        guard state.isAd else { return }
        event(Action(.adClick), at: moment)
    }

    /// What an ad that has ended leaves behind.
    func endAd(wasStarted: Bool, at moment: Moment) {
        if generation == .a { totalAdPlaytime += playtime.total }
        guard let linked else { return }
        linked.timeSince.stamp(UTF8Text("timeSinceLastAd"), at: moment.epochMilliseconds)
        if wasStarted, let adStartedAt { linked.quality.adEnded(after: moment.epochMilliseconds - adStartedAt) }
    }

    /// The content stands while an ad is shown: a player does not say so, since it is the same for every ad.
    func pauseForAd(at moment: Moment) {
        guard state.isStarted, !state.isPaused else { return }
        isPausedForAd = true
        sendPause(at: moment)
    }

    /// The content goes on after the ad, unless the viewer has paused meanwhile.
    func resumeAfterAd(wanted: Bool, at moment: Moment) {
        guard isPausedForAd else { return }
        isPausedForAd = false
        if wanted { sendResume(at: moment) }
    }
}
