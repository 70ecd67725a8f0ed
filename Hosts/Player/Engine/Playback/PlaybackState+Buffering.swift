extension PlaybackState {
    /// Follows the fill level; the engine does not halt the pipeline itself when it runs dry, its host must.
    mutating func bufferLevelChanged(percent: Int) {
        guard phase == .loading || phase == .ready else { return }
        if percent >= 100 {
            completeBuffering()
        } else if buffering == nil {
            startBuffering()
        }
    }

    private mutating func startBuffering() {
        let cause = bufferingCause
        buffering = cause
        progressTimeNs = lastTimeNs
        emit(.bufferingStarted(cause))
        adjustPipeline()
    }

    mutating func completeBuffering() {
        guard let cause = buffering else { return }
        buffering = nil
        progressTimeNs = lastTimeNs
        emit(.bufferingCompleted(cause))
        adjustPipeline()
        reportPlayingIfSo()
    }

    private var bufferingCause: EngineBufferingCause {
        if seekInFlight != nil || isSettlingAfterSeek { return .seek }
        if !hasPlayed { return .initial }
        return wantsPlaying ? .stall : .paused
    }
}
