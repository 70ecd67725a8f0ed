internal import PluginABI
internal import PluginKit

// The life cycle of views.
extension PlayerMonitor {
    /// Begins the first view as the player appears with its first event: `viewinit`, its data, `playerready`.
    mutating func appear(with attributes: AttributeList, at moment: Moment, initialisedAt initTime: Int64) {
        setPlayerData(initialisedAt: initTime)
        prepareView(keepingVideo: false, moment)
        data.read(attributes, &fields)
        // Global data is said once, not for each player.
        if data.isGlobalDataSaid { fields.changedForData = [] }
        announceView(moment)
        if let start = fields.int(.playerInitTime) { fields.set(.playerStartupTime, max(0, now - start)) }
        emit(.playerready)
        startupTime = fields.int(.playerStartupTime)
        fields.remove(.playerStartupTime)
    }

    /// Brings Mux to where playback stands: the tracker joined a session that is going on.
    mutating func join(_ attributes: AttributeList, at moment: Moment) {
        let player = moment.player
        playback = PlaybackState(joining: player)
        detector.begin(at: player.reportedPlayheadMilliseconds, at: now)
        guard !playback.hasEnded else { return }
        if player.has(TALLY_STATE_IN_AD_BREAK) {
            adBreakStart(attributes, moment)
            if player.has(TALLY_STATE_IN_AD) { adStart(attributes, moment) }
        } else {
            if playback.isWanted { sendPlay(moment) }
            if player.has(TALLY_STATE_SEEKING) { seekStart() } else { resolvePlaying(moment) }
        }
    }

    /// Begins the view of a video; the first one goes on with the view that the player appeared with.
    mutating func load(_ attributes: AttributeList, at moment: Moment) {
        let isFirst = !hadVideo && isViewOpen && metrics.startedAt == nil
        hadVideo = true
        // An archive from elsewhere may have no unload before it.
        if !isFirst { endView() }
        forgetPlayback(isVideoLoaded: true)
        if isFirst {
            data.read(attributes, &fields)
            readQuietly(moment)
            sayChangedData()
        } else {
            prepareView(keepingVideo: false, moment)
            data.read(attributes, &fields)
            announceView(moment, isVideoChange: true)
        }
    }

    /// Ends the view of a video that is gone.
    mutating func unload() {
        endView()
        forgetPlayback(isVideoLoaded: false)
    }

    /// Begins another view of the same video, because the old one is over by silence or by a stall.
    mutating func renewView(_ moment: Moment, following type: UInt32) {
        let wasPlaying = playback.phase == .playing
        let cut = adBreak
        let ad = valuesOfAd()
        endView()
        prepareView(keepingVideo: true, moment)
        announceView(moment)
        if cut.isOpen {
            restore(ad)
            return reopen(cut, moment)
        }
        guard wasPlaying, type != TALLY_EVENT_TYPE_PLAY, type != TALLY_EVENT_TYPE_AD_BREAK_START else { return }
        sendPlay(moment)
        sendPlaying(moment)
    }

    /// Begins the view of another programme of the same stream.
    mutating func changeProgram(_ attributes: AttributeList, at moment: Moment) {
        guard isViewOpen else { return }
        let wasMoving = playback.phase != .paused
        let cut = adBreak
        let ad = valuesOfAd()
        endView()
        prepareView(keepingVideo: false, moment, isProgramChange: true)
        data.read(attributes, &fields)
        announceView(moment)
        if cut.isOpen {
            restore(ad)
            return reopen(cut, moment)
        }
        guard wasMoving else { return }
        sendPlay(moment)
        resolvePlaying(moment)
    }

    /// Opens a view if none is open, as playback after its end needs one.
    mutating func ensureView(_ moment: Moment) {
        guard !isViewOpen else { return }
        prepareView(keepingVideo: true, moment)
        announceView(moment)
    }

    /// Says `viewstart`, once in a view: with the first `play` or ad break.
    mutating func startView() {
        guard isViewOpen, metrics.start(at: now) else { return }
        fields.set(.viewStart, now)
        clock.start()
        emit(.viewstart)
    }

    /// Ends the view: closes what is open, says `viewend` and what the view was worth.
    mutating func endView() {
        guard isViewOpen else { return }
        countWatchedTime()
        if metrics.seeks.end(at: now) { emit(.seeked) }
        endStall()
        // Whether the ad was shown to its end or not: Mux has no other word for its being over.
        closeBreak()
        closeScalingSample()
        clock.stop()
        playback.phase = .paused
        fields.set(.viewEnd, now)
        renewSession()
        emit(.viewend)
        if metrics.startedAt != nil { writeSummary() }
        isViewOpen = false
    }

    /// Ends the view and sends what waits: the player is gone.
    mutating func destroy() {
        endView()
        output.close(&fields)
    }

    /// Takes over another configuration: what is configured no more is gone.
    mutating func reconfigure(_ configuration: MuxConfiguration) {
        self.configuration = configuration
        if let viewer = configuration.viewerID { identify(viewer) }
        data.configure(configuration, &fields)
        sayChangedData()
    }

    /// What is known of a break and its ad, which is the view's own and forgotten with it.
    private func valuesOfAd() -> [(Field, FieldValue)] {
        guard adBreak.isOpen else { return [] }
        var values: [(Field, FieldValue)] = []
        for field in Field.allCases where AdBreak.fields.contains(field) { values.append((field, fields[field])) }
        return values
    }

    private mutating func restore(_ values: [(Field, FieldValue)]) {
        for (field, value) in values { fields.set(field, value) }
    }

    // MARK: - Parts of a view's begin and end

    /// Sets what the tracker itself knows of environment and player, and what is configured.
    private mutating func setPlayerData(initialisedAt initTime: Int64) {
        fields.set(.envKey, configuration.environmentKey)
        fields.set(.beaconDomain, configuration.beaconDomain ?? CollectorAddress.standardDomain)
        fields.set(.muxApiVersion, "2.1")
        fields.set(.muxEmbed, "tally")
        fields.set(.muxEmbedVersion, MuxDataTracker.version)
        fields.set(.playerInstanceId, IdentifierText.make(host.random(), at: now))
        fields.set(.playerMuxPluginName, "tally")
        fields.set(.playerMuxPluginVersion, MuxDataTracker.version)
        fields.set(.playerInitTime, initTime)
        identify(configuration.viewerID ?? session.viewerID ?? IdentifierText.make(host.random(), at: now))
        data.configure(configuration, &fields)
    }

    private mutating func identify(_ viewer: String) {
        session.identify(viewer, host: host)
        fields.set(.muxViewerId, viewer)
    }

    private mutating func prepareView(keepingVideo: Bool, _ moment: Moment, isProgramChange: Bool = false) {
        viewCount += 1
        output.beginView()
        let hasEarlierFrames = keepingVideo || playback.isVideoLoaded && moment.player.hasAny(TALLY_STATE_STARTED)
        metrics = ViewMetrics(
            earlierDroppedFrames: hasEarlierFrames ? moment.player.droppedFrames ?? 0 : 0,
            isProgramChange: isProgramChange
        )
        clock.reset(at: now)
        clock.stop()
        detector.expectNone()
        playback.beginView()
        fields.remove(Self.viewFields)
        if !keepingVideo {
            data.forgetVideo(configuration, &fields)
            player.forgetVideo()
        }
        fields.set(.viewId, IdentifierText.make(host.random(), at: now))
        fields.set(.playerViewCount, viewCount)
        renewSession()
    }

    private mutating func announceView(_ moment: Moment, isVideoChange: Bool = false) {
        readQuietly(moment)
        isViewOpen = true
        data.sayGlobalData(&fields, output.records)
        emit(.viewinit)
        data.sayViewData(&fields, output.records, isVideoChange: isVideoChange)
    }

    /// Goes on with the viewer's session, or begins another one.
    private mutating func renewSession() {
        let (host, now) = (host, now)
        session.renew(at: now, host: host) { IdentifierText.make(host.random(), at: now) }
        fields.set(.sessionId, session.id ?? "")
        fields.set(.sessionStart, session.start)
        fields.set(.sessionExpires, session.expires)
    }

    private mutating func forgetPlayback(isVideoLoaded: Bool) {
        playback.reset(isVideoLoaded: isVideoLoaded)
        adBreak = AdBreak()
        detector.begin(at: nil, at: now)
    }

    private func writeSummary() {
        output.records.write("viewmetrics") { record in
            fields.write(.viewId, UTF8Text("view_id"), to: record)
            let viewer: Field = fields.present.contains(.viewerUserId) ? .viewerUserId : .muxViewerId
            fields.write(viewer, UTF8Text("viewer_id"), to: record)
            metrics.write(to: record, clock, startupTime: startupTime)
        }
    }

    /// What is the view's own and ends with it.
    private static let viewFields = FieldSet(groups: [.view, .ad, .request, .detail])
        .union([
            .playerErrorCode, .playerErrorMessage, .playerErrorContext, .playerErrorSeverity,
            .playerErrorBusinessException, .viewDroppedFrameCount,
        ])
}
