extension PlaybackState {
    /// How long the position may take to follow the pipeline's clock after a stop.
    private static let catchUpNs: Int64 = 2_000_000_000
    /// What a seek may miss its target by, beyond the way that it had to go.
    private static let lostPlaceMs: Int64 = 1000

    mutating func seek(toMs targetMs: Int64) {
        switch phase {
        case .idle, .loading:
            queuedSeekMs = targetMs
        case .ready, .ended:
            guard media.isSeekable else { return reject(.seek(toMs: targetMs), "the item is not seekable") }
            guard seekInFlight == nil else {
                queuedSeekMs = targetMs
                return
            }
            pendingActions.append(.seek(.position(targetMs: clamped(targetMs))))
        case .closed:
            break
        }
    }

    mutating func changeRate(to newRate: Double) {
        guard newRate > 0, newRate <= 16 else {
            return reject(.setRate(newRate), "the rate must be above 0 and at most 16")
        }
        guard phase == .ready else {
            return reject(.setRate(newRate), "the rate can be changed while the item is played, once it is loaded")
        }
        // The engine takes the live edge, to which playback comes soon then, for the end.
        guard !media.isLive || newRate <= 1 else {
            return reject(.setRate(newRate), "a live stream cannot be played faster than it comes")
        }
        guard seekInFlight == nil else {
            queuedRate = newRate
            return
        }
        guard newRate != rate else { return }
        pendingActions.append(.seek(.rate(newRate)))
    }

    mutating func seekIssued(_ purpose: SeekPurpose, accepted: Bool) {
        guard accepted else {
            if case .again(_, let reachedMs) = purpose {
                finishSeek(positionMs: reachedMs, isLast: true)
            } else if case .begin = purpose {
                // It begins where the engine would have begun.
                showFirstFrame()
            } else if let command = purpose.command {
                reject(command, "the engine refused the seek")
                startQueuedSeek()
            }
            return
        }
        endFreeze()
        if case .position(let targetMs) = purpose { emit(.seekStarted(targetMs: targetMs)) }
        if phase == .ended { phase = .ready }
        seekInFlight = purpose
        refused = nil
        lastSeekNs = lastTimeNs
        if case .begin = purpose {
            // What was decoded so far is shown to nobody.
            hasFirstFrame = false
        } else {
            isSettlingAfterSeek = true
        }
        progressTimeNs = lastTimeNs
    }

    /// A preroll ends a seek only when one is under way: pauses and rebuffers preroll as well.
    mutating func finishSeek(positionMs: Int64?, isLast: Bool = false) {
        guard let purpose = seekInFlight else { return }
        if case .position(let targetMs) = purpose, !isLast, let positionMs, isLost(positionMs, onTheWayTo: targetMs) {
            pendingActions.append(.seek(.again(toMs: targetMs, reachedMs: positionMs)))
            return
        }
        seekInFlight = nil
        progressTimeNs = lastTimeNs
        switch purpose {
        case .position(let targetMs), .again(let targetMs, _):
            let reachedMs = positionMs ?? targetMs
            playhead.set(reachedMs, at: lastTimeNs)
            emit(.seekCompleted(positionMs: reachedMs))
        case .rate(let newRate):
            rate = newRate
            if let positionMs { playhead.set(positionMs, at: lastTimeNs) }
            emit(.rateChanged(newRate))
        case .resume(let atMs), .begin(let atMs):
            playhead.set(positionMs ?? atMs, at: lastTimeNs)
        }
        startQueuedSeek()
        reportPlayingIfSo()
    }

    /// Lets no limit count the time in which the process was stopped, and has playback go on where it stood.
    ///
    /// The pipeline's clock has gone on: it would drop all that nobody saw. A stream that cannot be moved is believed
    /// wherever it is now.
    mutating func goOn(afterNs lengthNs: Int64) {
        progressTimeNs += lengthNs
        loadTimeNs += lengthNs
        guard phase == .ready, seekInFlight == nil, let positionMs = playhead.positionMs else { return }
        if media.isSeekable, !media.isLive {
            guard commandedPlaying else { return }
            pendingActions.append(.seek(.resume(atMs: positionMs)))
        } else {
            catchUp()
        }
    }

    /// Believes the pipeline's position wherever it is now.
    mutating func catchUp() { playhead.believe(untilNs: lastTimeNs + Self.catchUpNs) }

    /// The engine drops a seek that comes before the first preroll or during another seek, so it waits here.
    ///
    /// So does a change of the rate, which is a seek to the engine.
    mutating func startQueuedSeek() {
        if let targetMs = queuedSeekMs {
            queuedSeekMs = nil
            seek(toMs: targetMs)
        } else if let newRate = queuedRate {
            queuedRate = nil
            changeRate(to: newRate)
        }
    }

    /// Whether a seek brought playback farther from its target than it was.
    ///
    /// GStreamer 1.22 loses its place in a live stream that ends while it reads nothing: it numbers what its last
    /// playlist names from 0, finds no target in it, and goes on where the stream was joined. The first segment puts
    /// that right.
    private func isLost(_ reachedMs: Int64, onTheWayTo targetMs: Int64) -> Bool {
        guard media.isLive, queuedSeekMs == nil, let startMs = playhead.positionMs else { return false }
        return abs(reachedMs - targetMs) > abs(startMs - targetMs) + Self.lostPlaceMs
    }

    private func clamped(_ targetMs: Int64) -> Int64 {
        let floor = max(targetMs, 0)
        guard let durationMs = media.durationMs else { return floor }
        return min(floor, durationMs)
    }
}

extension SeekPurpose {
    /// What the host wanted with it, nil when that was nothing.
    fileprivate var command: EngineCommand? {
        switch self {
        case .position(let targetMs): .seek(toMs: targetMs)
        case .rate(let rate): .setRate(rate)
        case .again, .resume, .begin: nil
        }
    }
}
