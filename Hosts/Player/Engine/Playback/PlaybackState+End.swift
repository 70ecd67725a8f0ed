extension PlaybackState {
    private static let lostPicturesLimit: Int64 = 15

    /// Decides between a complete and a truncated item: a file that was cut short ends like any other.
    mutating func reachedEnd(mediaEndMs: Int64?) {
        guard phase == .ready || phase == .loading else { return }
        guard phase == .ready else { return fail(error(.corrupt, "it ended before anything was decoded")) }
        finishSeekAtEnd()
        completeBuffering()
        endFreeze()
        if let error = missingEnd(mediaEndMs: mediaEndMs) { return fail(error) }
        let positionMs = mediaEndMs ?? playhead.positionMs ?? 0
        if isCutOff, lastRequest?.succeeded == true, lastRequest?.contentLength == nil {
            return fail(error(.connectionLost, "it broke off at \(positionMs) ms"))
        }
        extendDuration(toMs: positionMs, isLast: true)
        // A manifest's durations are rounded, and a segment that is cut short is an error of its own.
        guard let durationMs = media.durationMs, !media.isAdaptive, !media.isLive else {
            return end(atMs: media.durationMs ?? positionMs)
        }
        guard positionMs + configuration.endToleranceMs >= durationMs else {
            return fail(error(.truncated, "it ended at \(positionMs) of \(durationMs) ms"))
        }
        end(atMs: durationMs)
    }

    /// A seek to the very end decodes nothing, so that no preroll follows it.
    private mutating func finishSeekAtEnd() {
        switch seekInFlight {
        case .position(let targetMs), .again(let targetMs, _): finishSeek(positionMs: targetMs)
        default: seekInFlight = nil
        }
    }

    private mutating func end(atMs positionMs: Int64) {
        playhead.set(positionMs, at: lastTimeNs)
        sampleQualityNow()
        reportDamage()
        phase = .ended
        reportedPlaying = false
        pauseTimeNs = nil
        emit(.endOfStream(positionMs: positionMs))
    }

    /// A sample with the last counts, which nobody waits a whole interval for any more.
    mutating func sampleQualityNow() {
        guard hasPlayed else { return }
        quality.hasten()
        guard let sample = quality.sample(lastPoll, rendition: renditions.current, at: lastTimeNs) else { return }
        emit(.qualitySample(sample))
    }

    /// Damage in the middle raises no error in the engine: the decoder just gives no picture.
    private mutating func reportDamage() {
        let lost = lastPoll.decoderInput - lastPoll.decoderOutput - quality.droppedTotal
        // What is inside of a decoder, and a picture now and then, is nothing to tell of.
        guard lost > Self.lostPicturesLimit, lost * 20 > lastPoll.decoderInput else { return }
        emit(.damaged(error(.corrupt, "\(lost) of \(lastPoll.decoderInput) pictures could not be decoded")))
    }
}
