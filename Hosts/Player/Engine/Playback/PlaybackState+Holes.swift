/// What becomes of segments that no server has.
extension PlaybackState {
    /// How far before a hole playback is led over it: about a look at the position.
    private static let nearMs: Int64 = 30
    /// What is not worth a jump.
    private static let shortestMs: Int64 = 100

    mutating func partSkipped(_ url: String, status: Int?) {
        mayHaveHoles = true
        guard let status else { return emit(.damaged(error(.segmentMissing, "\(url) is marked as a gap"))) }
        let part = EngineRequest(url: url, status: status)
        missingPart = part
        if refused?.url == url { refused = nil }
        var error = error(.segmentMissing, "\(url) is answered with status \(status)")
        error.httpStatus = status
        emit(.damaged(error))
    }

    /// Leads playback over the hole that it has come to: nobody is shown a frozen picture for as long as is missing.
    mutating func passHole() {
        guard mayHaveHoles, !isPassingHole, isUnhindered, let hole = lastPoll.hole,
            let positionMs = lastPoll.positionMs,
            positionMs >= hole.lowerBound - Self.nearMs, hole.upperBound - positionMs >= Self.shortestMs
        else { return }
        isPassingHole = true
        pendingActions.append(.passHole(toMs: hole.upperBound, rate: rate))
    }

    mutating func holePassed(toMs targetMs: Int64, isPassed: Bool) {
        isPassingHole = false
        guard isPassed, phase == .ready, seekInFlight == nil else { return }
        playhead.set(targetMs, at: lastTimeNs)
        progressTimeNs = lastTimeNs
        endFreeze()
        nextPlayheadSampleNs = lastTimeNs
    }

    /// What ends an adaptive stream whose last segments nobody has; nil when nothing is missing there.
    func missingEnd(mediaEndMs: Int64?) -> EngineError? {
        guard media.isAdaptive, !media.isLive, let durationMs = media.durationMs, let mediaEndMs,
            let part = refused ?? missingPart, let status = part.status,
            mediaEndMs + configuration.endToleranceMs < durationMs
        else { return nil }
        var error = error(
            ErrorClassifier.code(of: part, keys: keys),
            "it ended at \(mediaEndMs) of \(durationMs) ms; \(part.url) is answered with status \(status)"
        )
        error.httpStatus = status
        return error
    }
}
