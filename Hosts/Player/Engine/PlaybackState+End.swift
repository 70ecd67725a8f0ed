extension PlaybackState {
    /// Decides between a complete and a truncated item: a file that was cut short ends like any other.
    mutating func reachedEnd() {
        guard phase == .ready || phase == .loading else { return }
        guard phase == .ready else {
            fail(error(.notMedia, "it ended before anything was decoded"))
            return
        }
        finishSeekAtEnd()
        completeBuffering()
        let positionMs = playhead.positionMs ?? 0
        guard let durationMs = media.durationMs, !media.isLive else {
            end(atMs: positionMs)
            return
        }
        let toleranceMs = Int64(Double(configuration.endToleranceMs) * max(rate, 1))
        guard positionMs + toleranceMs >= durationMs else {
            fail(error(.truncated, "it ended at \(positionMs) of \(durationMs) ms"))
            return
        }
        playhead.set(durationMs, at: lastTimeNs)
        end(atMs: durationMs)
    }

    /// A seek to the very end decodes nothing, so that no preroll follows it.
    private mutating func finishSeekAtEnd() {
        guard case .position(let targetMs) = seekInFlight else {
            seekInFlight = nil
            return
        }
        finishSeek(positionMs: targetMs)
    }

    private mutating func end(atMs positionMs: Int64) {
        phase = .ended
        reportedPlaying = false
        pauseTimeNs = nil
        emit(.endOfStream(positionMs: positionMs))
    }
}
