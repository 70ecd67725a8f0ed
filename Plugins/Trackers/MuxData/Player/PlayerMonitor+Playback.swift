internal import PluginKit

// Playback of the content: play, playing, pause, ended, seeks, stalls.
extension PlayerMonitor {
    // MARK: - What the player says

    mutating func play(_ moment: Moment) {
        playback.playRequested()
        if adBreak.isOpen {
            resumeAd()
        } else if playback.phase == .paused {
            playback.needsPlayAfterSeek = false
            sendPlay(moment)
            resolvePlaying(moment)
        }
    }

    mutating func pause() {
        playback.pauseRequested()
        if adBreak.isOpen {
            pauseAd()
        } else if playback.phase != .paused {
            sendPause()
        }
    }

    mutating func firstFrame(_ moment: Moment) {
        playback.isFrameShown = true
        resolvePlaying(moment)
    }

    mutating func complete() {
        guard playback.complete(isStarted: metrics.startedAt != nil) else { return }
        endStall()
        playback.phase = .paused
        clock.stop()
        emit(.ended)
    }

    mutating func bufferStart() {
        playback.isBuffering = true
        guard playback.phase == .playing, !metrics.seeks.isSeeking, !adBreak.isOpen else { return }
        playback.phase = .waiting
        if !metrics.stalls.isOpen { startStall(at: now) }
    }

    mutating func bufferComplete(_ moment: Moment) {
        playback.isBuffering = false
        endStall()
        resolvePlaying(moment)
    }

    mutating func seekStart() {
        guard isViewOpen, playback.seekStarted(), !metrics.seeks.merge(at: now) else { return }
        // One that was never over ends where the next one begins.
        if metrics.seeks.end(at: now) { emit(.seeked) }
        metrics.seeks.start(at: now)
        endStall()
        closeScalingSample()
        playback.needsPlayAfterSeek = playback.phase != .paused
        if playback.phase == .playing { playback.phase = .waiting }
        emit(.seeking)
    }

    /// Playback stands at the seek's target.
    mutating func seekComplete(_ moment: Moment) {
        if playback.endSilentSeek() { return resolvePlaying(moment) }
        guard metrics.seeks.end(at: now) else { return }
        emit(.seeked)
        guard !adBreak.isOpen, playback.phase != .paused else { return }
        if playback.needsPlayAfterSeek { sendPlay(moment) }
        playback.needsPlayAfterSeek = false
        resolvePlaying(moment)
    }

    /// A sample: `timeupdate`, and what a moving playhead shows.
    mutating func sample(_ moment: Moment) {
        if step > 0, !adBreak.isOpen, !metrics.seeks.isSeeking {
            switch playback.moved() {
            case .nothing: break
            case .playAndPlaying:
                sendPlay(moment)
                sendPlaying(moment)
            case .playing: sendPlaying(moment)
            }
        }
        if configuration.saysTimeUpdates { emitTimeUpdate() }
    }

    // MARK: - What Mux is told

    /// Says `play`, in a view that is open and started.
    mutating func sendPlay(_ moment: Moment) {
        ensureView(moment)
        // Before `viewstart`, which says already that the player is paused no more.
        playback.playSent()
        startView()
        clock.start()
        emit(.play)
    }

    /// Says `playing` if the content moves now.
    mutating func resolvePlaying(_ moment: Moment) {
        guard playback.isReadyToPlay, !metrics.seeks.isSeeking, !adBreak.isOpen else { return }
        sendPlaying(moment)
    }

    /// Says `playing`: the content moves from now on.
    mutating func sendPlaying(_ moment: Moment) {
        guard isViewOpen else { return }
        metrics.contentShown(watched: clock.total)
        playback.phase = .playing
        clock.start()
        detector.expectMovement(at: now)
        beginScalingSample()
        emit(.playing)
    }

    mutating func sendPause() {
        endStall()
        closeScalingSample()
        playback.phase = .paused
        clock.stop()
        emit(.pause)
    }

    // MARK: - The playhead

    /// Measures what a report of the playhead shows.
    mutating func measure(playhead reported: Int64, rate: Int64) {
        // What ends or begins here still belongs to the place that was reported before.
        defer { detector.keep(reported, at: now, rate: rate) }
        metrics.reach(reported)
        step = detector.step(to: reported, at: now, rate: rate)
        guard clock.isRunning, !adBreak.isOpen, !metrics.seeks.isSeeking else { return }
        metrics.countContent(step)
        guard playback.phase == .playing else { return }
        switch detector.look(reported, at: now, rate: rate, isStalled: metrics.stalls.isOpen) {
        case .none: break
        case .started(let since):
            clock.moveToRebuffering(now - since)
            startStall(at: since)
        case .ended: endStall()
        case .short(let start, let end): shortStall(from: start, to: end)
        }
    }

    mutating func beginScalingSample() {
        if let position = detector.position { metrics.scaling.begin(fields, playhead: position) }
    }

    mutating func closeScalingSample() {
        if let position = detector.position { metrics.scaling.close(playhead: position) }
    }

    // MARK: - Stalls

    /// Says a stall that was over when it was found.
    private mutating func shortStall(from start: Int64, to end: Int64) {
        closeScalingSample()
        metrics.stalls.count += 1
        emit(.rebufferstart, at: start)
        clock.moveToRebuffering(end - start)
        metrics.stalls.duration += end - start
        emit(.rebufferend, at: end)
    }

    private mutating func startStall(at start: Int64) {
        closeScalingSample()
        metrics.stalls.begin(at: start)
        emit(.rebufferstart, at: start)
    }

    /// Ends a stall, if one goes on.
    mutating func endStall() {
        guard metrics.stalls.end(at: now) else { return }
        detector.expectMovement(at: now)
        emit(.rebufferend)
    }
}

// Ad breaks and ads; the content's pause before a break and its play after it are derived, as players do not say them.
extension PlayerMonitor {
    /// Whether an ad now comes before the content.
    var isPreroll: Bool { metrics.isBeforeContent && !playback.hasEnded }

    mutating func adBreakStart(_ attributes: AttributeList, _ moment: Moment, isDerived: Bool = false) {
        guard !adBreak.isOpen else { return }
        if playback.phase != .paused { sendPause() }
        ensureView(moment)
        startView()
        adBreak.begin(isDerived: isDerived)
        readBreakType(attributes)
        metrics.ads.breakStarted(at: now)
        clock.start()
        emit(.adbreakstart)
    }

    /// An ad begins; outside a break it is a break of its own.
    mutating func adStart(_ attributes: AttributeList, _ moment: Moment) {
        if adBreak.isAdOpen { endAd(.adended) }
        if !adBreak.isOpen { adBreakStart(attributes, moment, isDerived: true) }
        readBreakType(attributes)
        AdBreak.readAd(attributes, &fields)
        adBreak.beginAd()
        metrics.ads.played += 1
        clock.start()
        emit(.adplay)
        if isPreroll { metrics.prerollShown(at: now, watched: clock.total) }
        emit(.adplaying)
    }

    mutating func adClick() {
        guard adBreak.isAdOpen else { return }
        metrics.ads.clicked += 1
        emit(.adclicked)
    }

    mutating func adComplete(_ moment: Moment) {
        guard adBreak.isAdOpen else { return }
        endAd(.adended)
        endDerivedBreak(moment)
    }

    mutating func adSkip(_ moment: Moment) {
        guard adBreak.isAdOpen else { return }
        metrics.ads.skipped += 1
        emit(.adskipped)
        endAd(.adended)
        endDerivedBreak(moment)
    }

    /// An ad, a break or a request for ads failed; an ad that plays is over with it.
    mutating func adError(_ moment: Moment) {
        endAd(.aderror)
        endDerivedBreak(moment)
    }

    /// The break is over: the content goes on, if the viewer wants it.
    mutating func adBreakComplete(_ moment: Moment) {
        guard adBreak.isOpen else { return }
        closeBreak()
        if player.showRendition(&fields) { sayRendition() }
        guard playback.isWanted, !playback.hasEnded else { return }
        sendPlay(moment)
        resolvePlaying(moment)
    }

    /// Ends the break, and the ad in it, without going on with the content.
    mutating func closeBreak() {
        guard adBreak.isOpen else { return }
        if adBreak.isAdOpen { endAd(.adended) }
        adBreak.end()
        clock.stop()
        emit(.adbreakend)
        fields.remove(AdBreak.fields)
    }

    /// Goes on, in another view, with a break that the end of the view before has cut in two.
    mutating func reopen(_ cut: AdBreak, _ moment: Moment) {
        startView()
        adBreak.begin(isDerived: cut.isDerived)
        metrics.ads.breakStarted(at: now)
        clock.start()
        emit(.adbreakstart)
        guard cut.isAdOpen else { return }
        adBreak.reopenAd(cut)
        metrics.ads.played += 1
        emit(.adplay)
        guard cut.isAdPaused else { return emit(.adplaying) }
        pauseAd()
    }

    private mutating func pauseAd() {
        guard adBreak.pauseAd() else { return }
        clock.stop()
        emit(.adpause)
    }

    private mutating func resumeAd() {
        guard adBreak.resumeAd() else { return }
        startView()
        clock.start()
        emit(.adplay)
        emit(.adplaying)
    }

    private mutating func endAd(_ event: MuxEvent) {
        if adBreak.isOpen { clock.stop() }
        adBreak.endAd()
        emit(event)
        if adBreak.isOpen { fields.remove(AdBreak.fieldsOfOneAd) }
    }

    private mutating func endDerivedBreak(_ moment: Moment) {
        if adBreak.isDerived { adBreakComplete(moment) }
    }

    private mutating func readBreakType(_ attributes: AttributeList) {
        let type = playback.hasEnded ? "postroll" : isPreroll ? "preroll" : "midroll"
        AdBreak.readType(attributes, &fields, otherwise: type)
    }
}
