package import PluginKit

/// The senders: each asks the state machine, and says nothing when the step is not legal.
extension VideoTracker {
    /// The tracker is at work.
    package func sendTrackerReady(at moment: Moment) {
        event(Action(.trackerReady), at: moment)
    }

    /// The tracker has a player; said each time.
    package func sendPlayerReady(at moment: Moment) {
        event(Action(.playerReady), at: moment)
        _ = state.goPlayerReady()
    }

    /// A stream is requested.
    package func sendRequest(at moment: Moment) {
        guard state.goRequest() else { return }
        playtime.stop()
        if generation == .b, !state.isAd {
            beginView(at: moment)
        }
        send(.request, at: moment)
    }

    /// The requested stream starts.
    package func sendStart(at moment: Moment) {
        guard state.goStart() else { return }
        wantsHeartbeat = true
        playedSinceHeartbeat = 0
        if state.isAd {
            numberOfAds += 1
            adStartedAt = moment.epochMilliseconds
            linked?.numberOfAds = numberOfAds
            linked?.pauseForAd(at: moment)
        } else {
            numberOfVideos += 1
            if let linked { totalAdPlaytime = linked.totalAdPlaytime }
            quality.start(at: moment.epochMilliseconds)
        }
        send(.start, at: moment)
        startPlaytime(at: moment)
    }

    /// Playback is paused.
    package func sendPause(at moment: Moment) {
        guard state.goPause() else { return }
        quality.pause(at: moment.epochMilliseconds, isForAds: isPausedForAd || linked?.state.isAdBreak == true)
        send(.pause, at: moment)
        playtime.stop()
    }

    /// Playback goes on after a pause.
    package func sendResume(at moment: Moment) {
        guard state.goResume() else { return }
        quality.resume(at: moment.epochMilliseconds)
        send(.resume, at: moment)
        startPlaytime(at: moment)
    }

    /// A seek begins.
    package func sendSeekStart(at moment: Moment) {
        guard state.goSeekStart() else { return }
        send(.seekStart, at: moment)
        playtime.stop()
    }

    /// The seek is over.
    package func sendSeekEnd(at moment: Moment) {
        guard state.goSeekEnd() else { return }
        send(.seekEnd, at: moment)
        startPlaytime(at: moment)
    }

    /// Playback waits for data.
    package func sendBufferStart(at moment: Moment) {
        guard state.goBufferStart() else { return }
        let type = currentBufferType(at: moment)
        bufferType = type
        quality.bufferStart(at: moment.epochMilliseconds)
        send(.bufferStart, .buffer(type), at: moment)
        playtime.stop()
    }

    /// The data is there; the reason is that of the beginning.
    package func sendBufferEnd(at moment: Moment) {
        guard state.goBufferEnd() else { return }
        quality.bufferEnd(at: moment.epochMilliseconds)
        send(.bufferEnd, .buffer(bufferType ?? currentBufferType(at: moment)), at: moment)
        startPlaytime(at: moment)
        bufferType = nil
    }

    /// The stream ends, and with it the view.
    package func sendEnd(at moment: Moment) {
        let wasStarted = state.isStarted
        guard state.goEnd() else { return }
        send(.end, at: moment)
        wantsHeartbeat = false
        if state.isAd {
            endAd(wasStarted: wasStarted, at: moment)
        } else {
            sendQualityAggregate(at: moment, isFinal: true)
            quality = QualityAggregate()
            isPausedForAd = false
        }
        // Ads tell the view of the content that they are shown with.
        if generation == .a, linked == nil || !state.isAd {
            identifiers.beginNextView()
        }
        numberOfErrors = 0
        playtime.reset()
    }

    /// The tracker is at work; legal always.
    package func sendHeartbeat(at moment: Moment) {
        guard generation == .b else { return send(.heartbeat, at: moment) }
        // What has been played since the event before is read with this event.
        let elapsed = playedSinceHeartbeat + playtime.unread(at: moment.epochMilliseconds)
        send(.heartbeat, .heartbeat(elapsed: snapped(elapsed)), at: moment)
        playedSinceHeartbeat = 0
    }

    /// The quality changed; legal always.
    package func sendRenditionChange(_ shift: RenditionShift?, at moment: Moment) {
        quality.change(shift)
        send(.renditionChange, .rendition(shift), at: moment)
    }

    /// Something failed; legal always.
    ///
    /// What is not known of the error is left out.
    package func sendError(message: UTF8Text?, domain: UTF8Text?, code: Int64?, at moment: Moment) {
        numberOfErrors += 1
        quality.error()
        send(.error, .error(message: message, domain: domain, code: code), at: moment)
    }

    /// The application's own event, with its attributes.
    package func sendEvent(_ name: UTF8Text, _ attributes: AttributeList, at moment: Moment) {
        event(Action(named: name), .custom(attributes), at: moment)
    }

    /// The application's own event, with attributes that a command or a custom tracker gives.
    package func sendEvent(_ name: UTF8Text, _ attributes: [AttributeSetting], at moment: Moment) {
        event(Action(named: name), .given(attributes), at: moment)
    }

    /// The figures of the view so far, if there is a view and they have changed or it ends (generation B).
    package func sendQualityAggregate(at moment: Moment, isFinal: Bool = false) {
        guard generation == .b, !state.isAd else { return }
        let now = moment.epochMilliseconds
        let playtime = playtime.total + playtime.unread(at: now)
        guard let figures = quality.news(at: now, playtime: playtime, isFinal: isFinal) else { return }
        event(Action(.qualityAggregate), .quality(figures), at: moment)
    }

    /// A view begins with its request (generation B): what was measured in the one before is over.
    private func beginView(at moment: Moment) {
        if numberOfVideos > 0 {
            identifiers.beginNextView()
            timeSince.forget(UTF8Text("timeSinceRequested"))
            timeSince.forget(UTF8Text("timeSinceStarted"))
        }
        quality.request(at: moment.epochMilliseconds)
    }

    /// Elapsed time that misses the period by the timer's tolerance only is the period, ms.
    private func snapped(_ elapsed: Int64) -> Int64 {
        let period = state.isAd ? Self.adHeartbeatMilliseconds : (heartbeatPeriod ?? 0) / 1000
        return period > 0 && abs(elapsed - period) <= 5 ? period : elapsed
    }

    /// Time between two heartbeats of generation B's ad trackers, ms.
    static let adHeartbeatMilliseconds: Int64 = 2000

    /// Counts play time from here on, if anything plays.
    private func startPlaytime(at moment: Moment) {
        guard state.isStarted, !state.isPaused, !state.isSeeking, !state.isBuffering else { return }
        playtime.start(at: moment.epochMilliseconds)
    }

    func send(_ action: PlaybackAction, _ detail: EventDetail = .none, at moment: Moment) {
        event(Action(StandardAction(action, isAd: state.isAd)), detail, at: moment)
    }

    private func currentBufferType(at moment: Moment) -> BufferType {
        BufferType(
            state,
            playhead: state.isAd ? moment.player.adPlayheadMilliseconds : moment.player.playheadMilliseconds,
            isInLinkedAdBreak: linked?.state.isAdBreak ?? false
        )
    }
}

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

/// The senders by name, as commands and custom trackers call them.
public enum VideoSender: String, CaseIterable, Sendable {
    case playerReady, request, start, end, pause, resume, seekStart, seekEnd, bufferStart, bufferEnd, heartbeat
    case renditionChange, error, adBreakStart, adBreakEnd, adQuartile, adClick
}

extension VideoTracker {
    /// Calls a sender; a rendition change and an error are told without details.
    package func call(_ sender: VideoSender, at moment: Moment) {
        switch sender {
        case .playerReady: sendPlayerReady(at: moment)
        case .request: sendRequest(at: moment)
        case .start: sendStart(at: moment)
        case .end: sendEnd(at: moment)
        case .pause: sendPause(at: moment)
        case .resume: sendResume(at: moment)
        case .seekStart: sendSeekStart(at: moment)
        case .seekEnd: sendSeekEnd(at: moment)
        case .bufferStart: sendBufferStart(at: moment)
        case .bufferEnd: sendBufferEnd(at: moment)
        case .heartbeat: sendHeartbeat(at: moment)
        case .renditionChange: sendRenditionChange(nil, at: moment)
        case .error: sendError(message: nil, domain: nil, code: nil, at: moment)
        case .adBreakStart: sendAdBreakStart(at: moment)
        case .adBreakEnd: sendAdBreakEnd(at: moment)
        case .adQuartile: sendAdQuartile(at: moment)
        case .adClick: sendAdClick(at: moment)
        }
    }
}
