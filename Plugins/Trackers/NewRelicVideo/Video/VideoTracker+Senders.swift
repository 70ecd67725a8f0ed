internal import PluginABI
package import PluginKit

/// The senders: each asks the state machine, and says nothing when the step is not legal.
extension VideoTracker {
    /// Calls a sender; `detail` is what the caller knows of a rendition change or an error.
    package func send(_ sender: VideoSender, _ detail: EventDetail = .none, at moment: Moment) {
        let wasStarted = state.isStarted
        guard state.go(sender) else { return }
        prepare(sender, detail, at: moment)
        event(Action(StandardAction(sender, isAd: state.isAd)), described(sender, detail, at: moment), at: moment)
        conclude(sender, wasStarted: wasStarted, at: moment)
    }

    /// The tracker is at work.
    package func sendTrackerReady(at moment: Moment) { event(Action(.trackerReady), at: moment) }

    /// The application's own event, with its attributes or with those that a command or a custom tracker gives.
    package func sendEvent(_ name: UTF8Text, _ detail: EventDetail, at moment: Moment) {
        event(Action(named: name), detail, at: moment)
    }

    /// The figures of the view so far, if there is a view and they have changed or it ends (generation B).
    package func sendQualityAggregate(at moment: Moment, isFinal: Bool = false) {
        guard generation == .b, !state.isAd else { return }
        let now = moment.epochMilliseconds
        let playtime = playtime.total + unreadPlaytime(at: moment)
        guard let figures = quality.news(at: now, playtime: playtime, isFinal: isFinal) else { return }
        event(Action(.qualityAggregate), .quality(figures), at: moment)
    }

    // MARK: - Before the event

    /// What a step changes before its event, which shows it.
    private func prepare(_ sender: VideoSender, _ detail: EventDetail, at moment: Moment) {
        let now = moment.epochMilliseconds
        switch sender {
        case .request:
            playtime.stop()
            if generation == .b, !state.isAd { beginView(at: now) }
        case .start: prepareStart(at: moment)
        case .pause: quality.pause(at: now, isForAds: isPausedForAd || linked?.state.isAdBreak == true)
        case .resume: quality.resume(at: now)
        case .bufferStart:
            bufferType = currentBufferType(at: moment)
            quality.bufferStart(at: now)
        case .bufferEnd: quality.bufferEnd(at: now)
        case .renditionChange:
            if case .rendition(let shift) = detail { quality.change(shift) }
        case .error:
            numberOfErrors += 1
            quality.error()
        case .adBreakStart:
            identifiers.beginNextBreak()
            totalAdPlaytime = 0
        default: break
        }
    }

    private func prepareStart(at moment: Moment) {
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
    }

    /// A view begins with its request (generation B): what was measured in the one before is over.
    private func beginView(at now: Int64) {
        if numberOfVideos > 0 {
            identifiers.beginNextView()
            timeSince.setStamp("timeSinceRequested", nil)
            timeSince.setStamp("timeSinceStarted", nil)
        }
        quality.request(at: now)
    }

    /// What the event says of its own.
    private func described(_ sender: VideoSender, _ detail: EventDetail, at moment: Moment) -> EventDetail {
        switch sender {
        // A wait ends with the reason that it began with.
        case .bufferStart, .bufferEnd: return .buffer(bufferType ?? currentBufferType(at: moment))
        case .heartbeat where generation == .b:
            // What has been played since the event before is read with this event.
            let elapsed = playedSinceHeartbeat + unreadPlaytime(at: moment)
            // Elapsed time that misses the period by the timer's tolerance only is the period.
            let period = state.isAd ? Self.adHeartbeatMilliseconds : (heartbeatPeriod ?? 0) / 1000
            return .heartbeat(elapsed: period > 0 && abs(elapsed - period) <= 5 ? period : elapsed)
        default: return detail
        }
    }

    private func currentBufferType(at moment: Moment) -> StaticString {
        let playhead = state.isAd ? moment.player.adPlayheadMilliseconds : moment.player.playheadMilliseconds
        return state.bufferType(playhead: playhead, isInLinkedAdBreak: linked?.state.isAdBreak ?? false)
    }

    /// Time between two heartbeats of generation B's ad trackers, ms.
    static let adHeartbeatMilliseconds: Int64 = 2000

    // MARK: - After the event

    /// What a step changes after its event, which does not show it yet.
    private func conclude(_ sender: VideoSender, wasStarted: Bool, at moment: Moment) {
        switch sender {
        case .start, .resume, .seekEnd: startPlaytime(at: moment)
        case .bufferEnd:
            startPlaytime(at: moment)
            bufferType = nil
        case .pause, .seekStart, .bufferStart: playtime.stop()
        case .heartbeat: playedSinceHeartbeat = 0
        case .end: concludeEnd(wasStarted: wasStarted, at: moment)
        default: break
        }
    }

    /// Counts play time from here on, if anything plays.
    private func startPlaytime(at moment: Moment) {
        guard state.isStarted, !state.isPaused, !state.isSeeking, !state.isBuffering else { return }
        // A seek that began before the stream did has no event, and plays nothing all the same.
        guard state.isAd || !moment.player.has(TALLY_STATE_SEEKING) else { return }
        playtime.start(at: moment.epochMilliseconds, playhead: moment.player.reportedPlayheadMilliseconds)
    }

    /// Counts play time behind a seek that has no event of its own.
    func goOnBehindSeek(at moment: Moment) {
        if !playtime.isRunning { startPlaytime(at: moment) }
    }

    /// ms played since the event before.
    private func unreadPlaytime(at moment: Moment) -> Int64 {
        playtime.unread(at: moment.epochMilliseconds, playhead: moment.player.reportedPlayheadMilliseconds)
    }

    /// In an ad break the content may stand without a word of the player: its play time follows the playhead then.
    func followPlayhead(_ isInBreak: Bool, at moment: Moment) {
        playtime.follow(
            playheadOnly: isInBreak,
            at: moment.epochMilliseconds,
            playhead: moment.player.reportedPlayheadMilliseconds
        )
    }

    /// Leaves out the ms in which the machine slept: nothing was played, awaited or paused in them.
    func skip(_ length: Int64) {
        playtime.skip(length)
        quality.skip(length)
        if let adStartedAt { self.adStartedAt = adStartedAt + length }
    }

    private func concludeEnd(wasStarted: Bool, at moment: Moment) {
        wantsHeartbeat = false
        if state.isAd {
            concludeAd(wasStarted: wasStarted, at: moment)
        } else {
            sendQualityAggregate(at: moment, isFinal: true)
            quality = QualityAggregate(platform)
            isPausedForAd = false
        }
        // Ads tell the view of the content that they are shown with.
        if generation == .a, linked == nil || !state.isAd { identifiers.beginNextView() }
        numberOfErrors = 0
        playtime.beginAnew()
    }

    /// What an ad that has ended leaves behind.
    private func concludeAd(wasStarted: Bool, at moment: Moment) {
        if generation == .a { totalAdPlaytime += playtime.total }
        guard let linked else { return }
        linked.timeSince.setStamp("timeSinceLastAd", moment.epochMilliseconds)
        if wasStarted, let adStartedAt { linked.quality.adEnded(after: moment.epochMilliseconds - adStartedAt) }
    }

    // MARK: - What an ad does to the content's tracker

    /// The content stands while an ad is shown: a player does not say so, since it is the same for every ad.
    private func pauseForAd(at moment: Moment) {
        guard state.isStarted, !state.isPaused else { return }
        isPausedForAd = true
        send(.pause, at: moment)
    }

    /// The content goes on after the ad, unless the viewer has paused meanwhile.
    func resumeAfterAd(wanted: Bool, at moment: Moment) {
        guard isPausedForAd else { return }
        isPausedForAd = false
        if wanted { send(.resume, at: moment) }
    }
}
