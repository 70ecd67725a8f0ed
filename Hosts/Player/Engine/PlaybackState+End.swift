extension PlaybackState {
    /// Decides between a complete and a truncated item: a file that was cut short ends like any other.
    mutating func reachedEnd(mediaEndMs: Int64?) {
        guard phase == .ready || phase == .loading else { return }
        guard phase == .ready else {
            fail(error(.corrupt, "it ended before anything was decoded"))
            return
        }
        finishSeekAtEnd()
        completeBuffering()
        let positionMs = mediaEndMs ?? playhead.positionMs ?? 0
        // A manifest's durations are rounded, and a segment that is cut short is an error of its own.
        guard let durationMs = media.durationMs, !media.isAdaptive, !media.isLive else {
            end(atMs: media.durationMs ?? positionMs)
            return
        }
        guard positionMs + configuration.endToleranceMs >= durationMs else {
            fail(error(.truncated, "it ended at \(positionMs) of \(durationMs) ms"))
            return
        }
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
        playhead.set(positionMs, at: lastTimeNs)
        phase = .ended
        reportedPlaying = false
        pauseTimeNs = nil
        emit(.endOfStream(positionMs: positionMs))
    }
}
