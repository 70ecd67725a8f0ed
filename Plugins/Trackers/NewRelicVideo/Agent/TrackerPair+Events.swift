internal import PluginKit

/// What each player event means to the trackers of a pair.
///
/// The state machine behind the senders drops what is not legal, so that an event can simply be passed on. While an ad
/// is shown, what happens to playback happens to the ad; a rendition is the content's all the time.
extension TrackerPair {
    /// Tells what an event means, with the picture that belongs to content and ad.
    func handle(_ event: EventView, at moment: Moment) {
        guard isInSession else { return send(event, at: moment) }
        shown.prepare(event.type)
        followShown(at: moment)
        send(event, at: moment)
        shown.remember(moment.player)
        followShown(at: moment)
    }

    /// Calls the senders that an event stands for; most events mean something only in a session.
    private func send(_ event: EventView, at moment: Moment) {
        let attributes = event.attributes
        switch event.type {
        case .playerReady:
            video.read(attributes)
            content?.send(.playerReady, at: moment)
            ad?.send(.playerReady, at: moment)
        case .playerError: (content ?? ad)?.send(.error, Self.error(attributes), at: moment)
        case .adError: adTracker(at: moment)?.send(.error, Self.error(attributes), at: moment)
        case .custom:
            // The name of an action is at most as long as that of an attribute; without one there is no action.
            guard let name = attributes[.customName]?.string, (1...Limits.nameBytes).contains(name.count) else {
                return
            }
            (content ?? ad)?.sendEvent(name, .custom(attributes), at: moment)
        case _ where !isInSession: break
        case .videoLoad:
            video.read(attributes)
            content?.send(.request, at: moment)
        case .metadataChange: video.read(attributes)
        case .play: play(at: moment)
        case .firstFrame:
            isFrameShown = true
            if wantsPlayback { content?.send(.start, at: moment) }
        case .pause:
            wantsPlayback = false
            current?.send(.pause, at: moment)
        case .seekStart: current?.send(.seekStart, at: moment)
        case .bufferStart: current?.send(.bufferStart, at: moment)
        // What ends may have begun before the ad.
        case .seekComplete:
            ad?.send(.seekEnd, at: moment)
            content?.send(.seekEnd, at: moment)
            content?.goOnBehindSeek(at: moment)
        case .bufferComplete:
            ad?.send(.bufferEnd, at: moment)
            content?.send(.bufferEnd, at: moment)
        case .renditionChange: changeRendition(attributes, at: moment)
        case .complete: endContent(at: moment)
        case .videoUnload: unload(at: moment)
        case .adBreakStart: startAdBreak(attributes, at: moment)
        case .adBreakComplete: endAdBreak(at: moment)
        case .adStart:
            // A player that does not say that an ad has ended says so with the next one.
            endAd(isSkipped: false, at: moment)
            guard let ad = adTracker(at: moment) else { return }
            ad.ad.forget()
            ad.ad.read(attributes)
            startAd(at: moment)
        case .adComplete: endAd(isSkipped: false, at: moment)
        case .adSkip: endAd(isSkipped: true, at: moment)
        case .adClick: ad?.send(.adClick, at: moment)
        case .adQuartile: attributes[.adQuartile]?.int.map { showQuartile($0, at: moment) }
        default: break
        }
    }

    private static func error(_ attributes: AttributeList) -> EventDetail {
        .error(
            message: attributes[.errorMessage]?.string,
            domain: attributes[.errorDomain]?.string,
            code: attributes[.errorCode]?.int
        )
    }

    /// After its end, playing again is a new view of what is on screen already.
    private func play(at moment: Moment) {
        wantsPlayback = true
        if let ad, ad.state.isRequested { return ad.send(.resume, at: moment) }
        let isNew = content?.state.isRequested == false
        content?.send(.request, at: moment)
        if isFrameShown { content?.send(.start, at: moment) }
        content?.send(.resume, at: moment)
        if isNew { waitOn(at: moment) }
    }

    /// The video is gone, and what of it is still on with it.
    func unload(at moment: Moment) {
        wantsPlayback = false
        endAdBreak(at: moment)
        endContent(at: moment)
    }

    private func endContent(at moment: Moment) {
        wantsPlayback = false
        content.map { Self.end($0, at: moment) }
    }

    /// As the vendor's binding for AVPlayer does, closes what is open, so that each beginning has its end.
    private static func end(_ tracker: VideoTracker, at moment: Moment) {
        for sender in [.bufferEnd, .seekEnd, .resume, .end] as [VideoSender] { tracker.send(sender, at: moment) }
    }

    private func changeRendition(_ attributes: AttributeList, at moment: Moment) {
        guard let content else { return }
        if let phase = attributes[.renditionPhase]?.string, !(phase == "visible") { return }
        let old = content.rendition
        let new = Rendition(attributes)
        content.rendition = new
        if let shift = attributes[.renditionShift]?.string.flatMap({ RenditionShift(rawValue: $0.string) }) {
            content.send(.renditionChange, .rendition(shift), at: moment)
        } else if let old {
            // The first one is what playback began with, and no change.
            content.send(.renditionChange, .rendition(new.shift(from: old)), at: moment)
        }
    }

    // MARK: - Ads

    private func startAdBreak(_ attributes: AttributeList, at moment: Moment) {
        guard let ad = adTracker(at: moment) else { return }
        ad.ad.forgetBreak()
        ad.ad.read(attributes)
        ad.send(.adBreakStart, at: moment)
    }

    /// An ad begins.
    func startAd(at moment: Moment) {
        guard let ad = adTracker(at: moment) else { return }
        ad.adQuartile = 0
        ad.isAdSkipped = false
        ad.send(.request, at: moment)
        ad.send(.start, at: moment)
    }

    /// The ad break is over, and an ad in it that is still on.
    private func endAdBreak(at moment: Moment) {
        endAd(isSkipped: false, at: moment)
        guard let ad else { return }
        ad.send(.adBreakEnd, at: moment)
        ad.ad.forgetBreak()
    }

    private func endAd(isSkipped: Bool, at moment: Moment) {
        guard let ad, ad.state.isRequested else { return }
        ad.isAdSkipped = isSkipped
        Self.end(ad, at: moment)
        ad.adQuartile = nil
        ad.isAdSkipped = false
        ad.ad.forget()
        // The content goes on when an ad is over, if the viewer wants it to.
        content?.resumeAfterAd(wanted: wantsPlayback, at: moment)
    }

    /// Each of the first three quarters is told once; the fourth is the ad's end.
    private func showQuartile(_ quartile: Int64, at moment: Moment) {
        guard let ad, ad.state.isStarted, (1...3).contains(quartile), quartile > ad.adQuartile ?? 0 else { return }
        ad.adQuartile = quartile
        ad.send(.adQuartile, at: moment)
    }
}
