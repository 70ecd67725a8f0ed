internal import PluginABI
internal import PluginKit

// Playback of the content: play, playing, pause, ended, stalls.
extension PlayerMonitor {
    // MARK: - What the player says

    /// The viewer wants playback.
    func play(_ moment: Moment) {
        isWanted = true
        isPauseTold = false
        if isInBreak {
            resumeAd()
        } else if phase == .paused {
            needsPlayAfterSeek = false
            sendPlay(moment)
            resolvePlaying(moment)
        }
    }

    /// The viewer wants a pause.
    func pause() {
        isWanted = false
        isPauseTold = true
        if isInBreak {
            pauseAd()
        } else if phase != .paused {
            sendPause()
        }
    }

    /// The first frame is on screen.
    func firstFrame(_ moment: Moment) {
        isFrameShown = true
        resolvePlaying(moment)
    }

    /// The content has played to its end.
    func complete() {
        isWanted = false
        guard !hasEnded, metrics.startedAt != nil else { return }
        hasEnded = true
        endRebuffer()
        phase = .paused
        clock.stop()
        emit(.ended)
    }

    /// The player waits for data.
    func bufferStart() {
        isBuffering = true
        guard phase == .playing, !metrics.seeks.isSeeking, !isInBreak else { return }
        phase = .waiting
        if !isRebuffering { startRebuffer(at: now) }
    }

    /// The data is there.
    func bufferComplete(_ moment: Moment) {
        isBuffering = false
        endRebuffer()
        resolvePlaying(moment)
    }

    /// A seek begins.
    func seekStart() {
        guard isViewOpen else { return }
        let isNew = metrics.seeks.start(at: now)
        guard isNew else { return }
        endRebuffer()
        closeScalingSample()
        needsPlayAfterSeek = phase != .paused
        if phase == .playing { phase = .waiting }
        emit(.seeking)
    }

    /// Playback stands at the seek's target.
    func seekComplete(_ moment: Moment) {
        guard metrics.seeks.end(at: now) else { return }
        emit(.seeked)
        guard !isInBreak, phase != .paused else { return }
        if needsPlayAfterSeek { sendPlay(moment) }
        needsPlayAfterSeek = false
        resolvePlaying(moment)
    }

    /// A sample: `timeupdate`, and what a moving playhead shows.
    func sample(_ moment: Moment, movedBy moved: Int64) {
        if isVideoLoaded, !isInBreak, !metrics.seeks.isSeeking, !isBuffering, !hasEnded, (1...1000).contains(moved) {
            switch phase {
            case .waiting:
                isFrameShown = true
                sendPlaying(moment)
            case .paused where !isPauseTold:
                // A player that plays without having said so.
                isWanted = true
                isFrameShown = true
                sendPlay(moment)
                sendPlaying(moment)
            case .paused, .playing: break
            }
        }
        if configuration.saysTimeUpdates { emit(.timeupdate) }
    }

    // MARK: - What Mux is told

    /// Says `play`, in a view that is open and started.
    func sendPlay(_ moment: Moment) {
        ensureView(moment)
        startView()
        hasEnded = false
        phase = .waiting
        clock.start()
        emit(.play)
    }

    /// Says `playing` if the content moves now.
    func resolvePlaying(_ moment: Moment) {
        guard phase == .waiting, isFrameShown, !isBuffering, !metrics.seeks.isSeeking, !isInBreak else { return }
        sendPlaying(moment)
    }

    /// Says `playing`: the content moves from now on.
    func sendPlaying(_ moment: Moment) {
        guard isViewOpen else { return }
        if metrics.timeToFirstFrame == nil { metrics.timeToFirstFrame = clock.total }
        if metrics.contentStartup == nil { metrics.contentStartup = clock.total - metrics.breakTime }
        phase = .playing
        clock.start()
        detector.expect(from: lastPlayhead, at: now)
        takeScalingSample()
        emit(.playing)
    }

    /// Says `pause`.
    func sendPause() {
        endRebuffer()
        closeScalingSample()
        phase = .paused
        clock.stop()
        emit(.pause)
    }

    // MARK: - Stalls

    /// What a report of the playhead shows.
    func lookAtPlayhead(_ reported: Int64, rate: Int64) {
        defer {
            lastPlayhead = reported
            lastRate = rate
        }
        metrics.furthestPlayhead = max(metrics.furthestPlayhead ?? reported, reported)
        guard !isInBreak, !metrics.seeks.isSeeking else { return }
        if clock.isRunning, let last = lastPlayhead, (1...1000).contains(reported - last) {
            metrics.contentPlayback += reported - last
            metrics.contentMoved += reported - last
        }
        guard phase == .playing, clock.isRunning else { return }
        if rate != lastRate { detector.expect(from: reported, at: now) }
        switch detector.look(reported, at: now, rate: rate, isRebuffering: isRebuffering) {
        case .none: break
        case .started(let since):
            clock.move(now - since)
            startRebuffer(at: since)
        case .ended: endRebuffer()
        case .short(let start, let end): shortRebuffer(from: start, to: end)
        }
    }

    /// Says a stall that was over when it was found.
    private func shortRebuffer(from start: Int64, to end: Int64) {
        closeScalingSample()
        metrics.rebufferCount += 1
        emit(.rebufferstart, at: start)
        clock.move(end - start)
        metrics.rebufferDuration += end - start
        emit(.rebufferend, at: end)
    }

    private func startRebuffer(at start: Int64) {
        closeScalingSample()
        metrics.rebufferCount += 1
        rebufferStart = start
        emit(.rebufferstart, at: start)
    }

    /// Ends a stall, if one goes on.
    func endRebuffer() {
        guard let start = rebufferStart else { return }
        rebufferStart = nil
        metrics.rebufferDuration += max(0, now - start)
        detector.expect(from: lastPlayhead, at: now)
        emit(.rebufferend)
    }
}
