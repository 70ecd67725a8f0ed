internal import PluginABI
internal import PluginKit

// The life cycle of views.
extension PlayerMonitor {
    /// Events after so much silence belong to another view, ms.
    static let longestSilence: Int64 = 3_600_000

    /// Begins the first view as the player appears: `viewinit`, its data, `playerready`.
    func appear(with attributes: AttributeList, at moment: Moment) {
        setPlayerData(initialisedAt: initialisedAt)
        prepareView(keepingVideo: false, moment)
        take(attributes)
        // Global data is said once, not for each player.
        if isGlobalDataSaid { fields.changedForData = [] }
        announceView(moment)
        if let start = fields.int(.playerInitTime) {
            fields.set(.playerStartupTime, max(0, now - start))
        }
        emit(.playerready)
        startupTime = fields.int(.playerStartupTime)
        fields.remove(.playerStartupTime)
    }

    /// Begins the view of a video; the first one goes on with the view that the player appeared with.
    func load(_ attributes: AttributeList, at moment: Moment) {
        let isFirst = !hadVideo && isViewOpen && metrics.startedAt == nil
        hadVideo = true
        forgetPlayback()
        isVideoLoaded = true
        if isFirst {
            take(attributes)
            readState(moment)
            sayChangedData()
        } else {
            endView()
            prepareView(keepingVideo: false, moment)
            take(attributes)
            announceView(moment, isVideoChange: true)
        }
    }

    /// Ends the view of a video that is gone.
    func unload() {
        endView()
        forgetPlayback()
        isVideoLoaded = false
    }

    /// Begins another view of the same video, because the old one is over by silence or by a stall.
    func renewView(_ moment: Moment, following type: UInt32) {
        let wasPlaying = phase == .playing
        endView()
        prepareView(keepingVideo: true, moment)
        announceView(moment)
        guard wasPlaying, type != TALLY_EVENT_TYPE_PLAY, type != TALLY_EVENT_TYPE_AD_BREAK_START else { return }
        sendPlay(moment)
        sendPlaying(moment)
    }

    /// Begins the view of another programme of the same stream.
    func changeProgram(_ attributes: AttributeList, at moment: Moment) {
        guard isViewOpen else { return }
        let wasMoving = phase != .paused
        endView()
        prepareView(keepingVideo: false, moment)
        metrics.isProgramChange = true
        take(attributes)
        announceView(moment)
        guard wasMoving, !isInBreak else { return }
        sendPlay(moment)
        resolvePlaying(moment)
    }

    /// Opens a view if none is open, as playback after its end needs one.
    func ensureView(_ moment: Moment) {
        guard !isViewOpen else { return }
        prepareView(keepingVideo: true, moment)
        announceView(moment)
    }

    /// Says `viewstart`, once in a view: with the first `play` or ad break.
    func startView() {
        guard isViewOpen, metrics.startedAt == nil else { return }
        metrics.startedAt = now
        fields.set(.viewStart, now)
        clock.start()
        emit(.viewstart)
    }

    /// Ends the view: closes what is open, says `viewend` and what the view was worth.
    func endView() {
        guard isViewOpen else { return }
        count()
        if metrics.seeks.end(at: now) { emit(.seeked) }
        endRebuffer()
        closeScalingSample()
        clock.stop()
        phase = .paused
        fields.set(.viewEnd, now)
        renewSession()
        emit(.viewend)
        sayViewMetrics()
        isViewOpen = false
    }

    /// Ends the view and forgets what waits to be said: the player is gone.
    func destroy() {
        endView()
        queue.flush(fields)
        if let heartbeatTimer { host.cancel(heartbeatTimer) }
        if let flushTimer { host.cancel(flushTimer) }
    }

    // MARK: - Parts of a view's begin

    private func prepareView(keepingVideo: Bool, _ moment: Moment) {
        viewCount += 1
        viewSequence = 0
        metrics = ViewMetrics()
        clock.reset(at: now)
        clock.stop()
        detector.forget()
        phase = .paused
        rebufferStart = nil
        needsPlayAfterSeek = false
        fields.remove(Self.viewFields)
        if keepingVideo {
            metrics.earlierDroppedFrames = moment.player.droppedFrames ?? 0
        } else {
            if isVideoLoaded, moment.player.hasAny(TALLY_STATE_STARTED) {
                metrics.earlierDroppedFrames = moment.player.droppedFrames ?? 0
            }
            forgetVideo()
        }
        fields.set(.viewId, IdentifierText.make(host.random(), at: now))
        fields.set(.playerViewCount, viewCount)
        renewSession()
    }

    private func announceView(_ moment: Moment, isVideoChange: Bool = false) {
        readState(moment)
        isViewOpen = true
        sayGlobalData()
        fields.changedForData = []
        emit(.viewinit)
        sayViewData(isVideoChange: isVideoChange)
    }

    /// What the session of the viewer is from now on.
    func renewSession() {
        session.renew(at: now, host: host) { IdentifierText.make(host.random(), at: now) }
        fields.set(.sessionId, session.id ?? "")
        fields.set(.sessionStart, session.start)
        fields.set(.sessionExpires, session.expires)
    }

    private func forgetPlayback() {
        isWanted = false
        isPauseTold = false
        isFrameShown = false
        isBuffering = false
        hasEnded = false
        isInBreak = false
        isBreakDerived = false
        isAdOpen = false
        isAdPaused = false
        lastPlayhead = nil
        phase = .paused
    }

    /// What is the view's own and ends with it.
    private static let viewFields = FieldSet(groups: [.view, .ad, .request, .detail])
        .union([
            .playerErrorCode, .playerErrorMessage, .playerErrorContext, .playerErrorSeverity,
            .playerErrorBusinessException, .viewDroppedFrameCount,
        ])
}
