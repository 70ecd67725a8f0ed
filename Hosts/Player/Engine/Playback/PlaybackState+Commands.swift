extension PlaybackState {
    mutating func handle(_ command: EngineCommand) {
        switch command {
        case .load(let location): startLoading(location)
        case .play: play()
        case .pause: pause()
        case .seek(let targetMs): seek(toMs: targetMs)
        case .begin(let placeMs): begin(atMs: placeMs)
        case .selectAudio(let wish): select(audio: wish)
        case .selectSubtitles(let wish): select(subtitles: wish)
        case .setRate(let newRate): changeRate(to: newRate)
        case .stop:
            if phase == .ready { sampleQualityNow() }
            pendingActions.append(.close(awaitsData: phase == .loading || phase == .ready))
            phase = .closed
        case .setVolume(let volume): setVolume(volume)
        case .setMuted(let muted): pendingActions.append(.setMuted(muted))
        case .pinRendition(let maxBitrate): pinRendition(maxBitrate)
        }
    }

    private mutating func startLoading(_ newLocation: String) {
        guard phase == .idle else {
            return reject(.load(newLocation), "this engine has an item already; use a new engine")
        }
        location = newLocation
        phase = .loading
        loadTimeNs = lastTimeNs
        emit(.loadStarted(location: newLocation))
        pendingActions.append(.open(newLocation))
    }

    private mutating func setVolume(_ volume: Double) {
        guard (0...1).contains(volume) else { return reject(.setVolume(volume), "the volume must be from 0 to 1") }
        pendingActions.append(.setVolume(volume))
    }

    private mutating func pinRendition(_ maxBitrate: Int64?) {
        let isLoaded = phase == .ready || phase == .ended
        guard !isLoaded || media.isAdaptive else {
            return reject(.pinRendition(maxBitrate: maxBitrate), "the item has only one rendition")
        }
        guard maxBitrate.map({ $0 > 0 && $0 <= Int64(UInt32.max) }) ?? true else {
            return reject(.pinRendition(maxBitrate: maxBitrate), "the bitrate is out of range")
        }
        pendingActions.append(.pinRendition(maxBitrate: maxBitrate))
    }

    /// Chooses the sound at once, or as soon as it is known which there are.
    private mutating func select(audio wish: String) {
        wantedAudio = wish
        if phase == .ready || phase == .ended { pendingActions.append(.selectAudio(wish)) }
    }

    private mutating func select(subtitles wish: String) {
        wantedSubtitles = wish
        if phase == .ready || phase == .ended { pendingActions.append(.selectSubtitles(wish)) }
    }

    private mutating func play() {
        wantsPlaying = true
        progressTimeNs = lastTimeNs
        if pauseTimeNs != nil { reportPaused() }
        adjustPipeline()
        reportPlayingIfSo()
    }

    private mutating func pause() {
        wantsPlaying = false
        guard reportedPlaying else { return adjustPipeline() }
        if pipeline == .playing, commandedPlaying, seekInFlight == nil {
            pauseTimeNs = lastTimeNs
        } else {
            reportPaused()
        }
        adjustPipeline()
    }

    mutating func reportPaused() {
        endFreeze()
        pauseTimeNs = nil
        reportedPlaying = false
        emit(.paused)
    }

    mutating func pipelineChanged(to newState: PipelineState) {
        pipeline = newState
        if newState != .playing, pauseTimeNs != nil { reportPaused() }
        reportPlayingIfSo()
    }

    /// Brings the pipeline to what the host wants and the buffer allows.
    mutating func adjustPipeline() {
        guard phase == .ready || phase == .ended else { return }
        let shouldPlay = wantsPlaying && buffering == nil
        guard shouldPlay != commandedPlaying else { return }
        commandedPlaying = shouldPlay
        pendingActions.append(shouldPlay ? .setPlaying : .setPaused)
    }

    /// Reports that playback runs, unless buffering or a seek only make it look so.
    mutating func reportPlayingIfSo() {
        guard phase == .ready, wantsPlaying, !reportedPlaying, pipeline == .playing else { return }
        guard buffering == nil, seekInFlight == nil else { return }
        reportedPlaying = true
        hasPlayed = true
        progressTimeNs = lastTimeNs
        nextPlayheadSampleNs = lastTimeNs + configuration.playheadIntervalMs * 1_000_000
        quality.restart()
        emit(.playing)
    }
}
