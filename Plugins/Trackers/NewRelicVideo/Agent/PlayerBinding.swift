internal import PluginABI
package import PluginKit

/// What each player event means to the trackers of a pair.
///
/// The state machine behind the senders drops what is not legal, so that an event can simply be passed on. While an ad
/// is shown, what happens to playback happens to the ad.
package final class PlayerBinding {
    /// The tracker of the content, nil when ads alone are followed.
    package let content: VideoTracker?
    /// The tracker of the ads, nil without and as long as none is needed.
    package private(set) var ad: VideoTracker?

    private let makeAd: ((Moment) -> VideoTracker)?
    private let video: VideoInformation
    private var isInSession = false
    private var wantsPlayback = false
    private var isFrameShown = false

    /// Binds a pair; `makeAd` makes the tracker of the ads when the first one comes.
    package init(
        content: VideoTracker?,
        ad: VideoTracker?,
        video: VideoInformation,
        makeAd: ((Moment) -> VideoTracker)? = nil
    ) {
        self.content = content
        self.ad = ad
        self.video = video
        self.makeAd = makeAd
    }

    /// The tracker that playback concerns now: that of the ads while an ad is shown.
    private var current: VideoTracker? {
        if let ad, ad.state.isRequested { return ad }
        return content
    }

    /// The tracker of the ads, made when it is needed for the first time.
    private func adTracker(at moment: Moment) -> VideoTracker? {
        if ad == nil, let makeAd { ad = makeAd(moment) }
        return ad
    }

    /// Carries the trackers and where playback stands; `restoreAd` makes the tracker of the ads if it was made later.
    func carry(by transfer: StateTransfer, restoreAd: () -> VideoTracker?) {
        transfer.carry(&isInSession)
        transfer.carry(&wantsPlayback)
        transfer.carry(&isFrameShown)
        var hasAd = ad != nil
        transfer.carry(&hasAd)
        if hasAd, ad == nil { ad = restoreAd() }
        content?.carry(by: transfer)
        ad?.carry(by: transfer)
    }

    // MARK: - Sessions

    /// Begins a session; in its middle, says what brings a new tracker to where the player stands.
    package func sessionBegin(_ snapshot: EventView, at moment: Moment) {
        beginSession()
        video.read(snapshot.attributes)
        guard snapshot.attributes[.joined]?.bool == true else { return }
        (ad ?? content)?.ad.read(snapshot.attributes)
        join(hasBegun: snapshot.attributes[.firstPlayAtMicroseconds] != nil, at: moment)
    }

    /// Ends the session; a tracker that is released says nothing.
    package func sessionEnd(_ reason: SessionEndReason, at moment: Moment) {
        if reason == .unload {
            unload(at: moment)
        }
        isInSession = false
        forgetSession()
    }

    private func beginSession() {
        isInSession = true
        forgetSession()
    }

    private func forgetSession() {
        wantsPlayback = false
        isFrameShown = false
        content?.rendition = nil
        ad?.rendition = nil
        video.forgetVideo()
    }

    /// Says what brings trackers to where the player stands in the middle of a session.
    ///
    /// `hasBegun` says whether playback was wanted before in this session.
    package func join(hasBegun: Bool, at moment: Moment) {
        let player = moment.player
        isInSession = true
        wantsPlayback = player.has(TALLY_STATE_PLAYING)
        isFrameShown = player.has(TALLY_STATE_STARTED)
        (content ?? ad)?.sendPlayerReady(at: moment)
        // After its end the view is over: the next one begins when it is played again.
        if !player.has(TALLY_STATE_ENDED) {
            content?.sendRequest(at: moment)
            if isFrameShown, wantsPlayback || hasBegun {
                content?.sendStart(at: moment)
            }
        }
        if player.has(TALLY_STATE_IN_AD_BREAK) { adTracker(at: moment)?.sendAdBreakStart(at: moment) }
        if player.has(TALLY_STATE_IN_AD) { startAd(at: moment) }
        if player.has(TALLY_STATE_PAUSED) { current?.sendPause(at: moment) }
        if player.has(TALLY_STATE_SEEKING) { current?.sendSeekStart(at: moment) }
        if player.has(TALLY_STATE_BUFFERING) { current?.sendBufferStart(at: moment) }
    }

    // MARK: - Events

    /// Tells the trackers what an event means; most events mean something only in a session.
    package func handle(_ event: EventView, at moment: Moment) {
        let attributes = event.attributes
        switch event.type {
        case .playerReady:
            video.read(attributes)
            content?.sendPlayerReady(at: moment)
            ad?.sendPlayerReady(at: moment)
        case .playerError: (content ?? ad).map { error(attributes, of: $0, at: moment) }
        case .adError: adTracker(at: moment).map { error(attributes, of: $0, at: moment) }
        case .custom: custom(attributes, at: moment)
        case _ where !isInSession: break
        case .videoLoad:
            video.read(attributes)
            content?.sendRequest(at: moment)
        case .metadataChange: video.read(attributes)
        case .play: play(at: moment)
        case .firstFrame:
            isFrameShown = true
            if wantsPlayback { content?.sendStart(at: moment) }
        case .pause:
            wantsPlayback = false
            current?.sendPause(at: moment)
        case .seekStart: current?.sendSeekStart(at: moment)
        case .bufferStart: current?.sendBufferStart(at: moment)
        // What ends may have begun before the ad.
        case .seekComplete:
            ad?.sendSeekEnd(at: moment)
            content?.sendSeekEnd(at: moment)
        case .bufferComplete:
            ad?.sendBufferEnd(at: moment)
            content?.sendBufferEnd(at: moment)
        case .renditionChange: current.map { changeRendition(attributes, of: $0, at: moment) }
        case .complete: end(content, at: moment)
        case .videoUnload: unload(at: moment)
        case .adBreakStart: adBreakStart(attributes, at: moment)
        case .adBreakComplete: endAdBreak(at: moment)
        case .adStart: adStart(attributes, at: moment)
        case .adComplete: endAd(isSkipped: false, at: moment)
        case .adSkip: endAd(isSkipped: true, at: moment)
        case .adClick: ad?.sendAdClick(at: moment)
        case .adQuartile: attributes[.adQuartile]?.int.map { showQuartile($0, at: moment) }
        default: break
        }
    }

    /// After its end, playing again is a new view of what is on screen already.
    private func play(at moment: Moment) {
        wantsPlayback = true
        if let ad, ad.state.isRequested { return ad.sendResume(at: moment) }
        content?.sendRequest(at: moment)
        if isFrameShown { content?.sendStart(at: moment) }
        content?.sendResume(at: moment)
    }

    private func unload(at moment: Moment) {
        wantsPlayback = false
        endAdBreak(at: moment)
        end(content, at: moment)
    }

    /// As the vendor's binding for AVPlayer does, closes what is open, so that each beginning has its end.
    private func end(_ tracker: VideoTracker?, at moment: Moment) {
        if tracker === content { wantsPlayback = false }
        guard let tracker else { return }
        tracker.sendBufferEnd(at: moment)
        tracker.sendSeekEnd(at: moment)
        tracker.sendResume(at: moment)
        tracker.sendEnd(at: moment)
    }

    /// The content goes on when an ad is over, if the viewer wants it to.
    private func resumeContent(at moment: Moment) {
        content?.resumeAfterAd(wanted: wantsPlayback, at: moment)
    }

    private func changeRendition(_ attributes: AttributeList, of tracker: VideoTracker, at moment: Moment) {
        if let phase = attributes[.renditionPhase]?.string, !(phase == "visible") { return }
        let old = tracker.rendition
        let new = Rendition(attributes)
        tracker.rendition = new
        if let shift = attributes[.renditionShift]?.string.flatMap(RenditionShift.init) {
            tracker.sendRenditionChange(shift, at: moment)
        } else if let old {
            // The first one is what playback began with, and no change.
            tracker.sendRenditionChange(new.shift(from: old), at: moment)
        }
    }

    private func error(_ attributes: AttributeList, of tracker: VideoTracker, at moment: Moment) {
        tracker.sendError(
            message: attributes[.errorMessage]?.string,
            domain: attributes[.errorDomain]?.string,
            code: attributes[.errorCode]?.int,
            at: moment
        )
    }

    private func custom(_ attributes: AttributeList, at moment: Moment) {
        // The name of an action is at most as long as that of an attribute; without one there is no action.
        guard let name = attributes[.customName]?.string, (1...Limits.nameBytes).contains(name.count) else { return }
        (content ?? ad)?.sendEvent(name, attributes, at: moment)
    }
}

// MARK: - Ads

extension PlayerBinding {
    private func adBreakStart(_ attributes: AttributeList, at moment: Moment) {
        guard let ad = adTracker(at: moment) else { return }
        ad.ad.forgetBreak()
        ad.ad.read(attributes)
        ad.sendAdBreakStart(at: moment)
    }

    private func adStart(_ attributes: AttributeList, at moment: Moment) {
        // A player that does not say that an ad has ended says so with the next one.
        endAd(isSkipped: false, at: moment)
        guard let ad = adTracker(at: moment) else { return }
        ad.ad.forgetAd()
        ad.ad.read(attributes)
        startAd(at: moment)
    }

    /// An ad begins.
    private func startAd(at moment: Moment) {
        guard let ad = adTracker(at: moment) else { return }
        ad.rendition = nil
        ad.adQuartile = 0
        ad.isAdSkipped = false
        ad.sendRequest(at: moment)
        ad.sendStart(at: moment)
    }

    /// The ad break is over, and an ad in it that is still on.
    private func endAdBreak(at moment: Moment) {
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
