internal import EventModel

/// What the player is in: the values of `sta`.
extension CMCDCourse {
    /// How far apart two reports of one thing are: a pause and an end, a failure and its error, us.
    static var together: Int64 { 1_000_000 }

    /// Makes the calls of a state that was entered.
    mutating func enter(_ state: CMCDState, _ report: HeldReport, _ queue: inout ReportQueue) {
        switch state {
        case .preloading: break
        case .waiting: emitCustom("cmcd_waiting")
        case .starting: start(report, &queue)
        case .playing: goOn(report, &queue)
        case .seeking: seek()
        case .rebuffering: rebuffer(report, &queue)
        case .paused: pause(queue)
        case .ended: complete()
        case .failed: fail(report.record, &queue)
        case .quit: endSession()
        }
    }

    mutating func startPlay() {
        guard session?.isPlaying == false else { return }
        session?.hasBegun = true
        session?.isPaused = false
        session?.hasEnded = false
        emit(.play)
    }

    private mutating func start(_ report: HeldReport, _ queue: inout ReportQueue) {
        if session?.hasEnded == true { return playAgain(.starting, report, &queue) }
        startPlay()
    }

    private mutating func goOn(_ report: HeldReport, _ queue: inout ReportQueue) {
        guard let before = session else { return }
        if before.hasEnded, !before.isSeeking { return playAgain(.playing, report, &queue) }
        session?.hasFailed = false
        if !before.hasBegun { startPlay() }
        endBuffering()
        // Some say "playing" when enough is there, paused or not, and say nothing when the viewer goes on.
        let staysPaused = before.isPaused && before.isBuffering && !before.isSeeking && mayFailLightly([])
        endSeek()
        if !staysPaused { startPlay() }
        guard !before.hasStarted else { return }
        session?.hasStarted = true
        emit(.firstFrame)
    }

    private mutating func seek() {
        session?.hasFailed = false
        session?.isSeeking = true
        var attributes: [TrackedCall.Attribute] = []
        let from = session?.playheadBefore
        if let from { attributes.append(TrackedCall.Attribute("seek_from_ms", .int(from))) }
        // The place may be the seek's end as well as its beginning: only where it is another one, it is the end.
        if let from, let to = current.state.playhead, to != from {
            attributes.append(TrackedCall.Attribute("seek_to_ms", .int(to)))
        }
        emit(.seekStart, attributes)
    }

    private mutating func rebuffer(_ report: HeldReport, _ queue: inout ReportQueue) {
        guard let before = session, !before.isBuffering else { return }
        if before.hasEnded, !before.isSeeking { return playAgain(.rebuffering, report, &queue) }
        session?.hasFailed = false
        session?.isBuffering = true
        let cause = before.isSeeking ? "seek" : before.hasStarted ? "stall" : "initial"
        emit(.bufferStart, [TrackedCall.Attribute("buffer_cause", .string(cause))])
    }

    private mutating func pause(_ queue: ReportQueue) {
        guard let before = session else { return }
        session?.hasFailed = false
        endSeek()
        // Who seeks away from the end while paused is not at the end, and was told to be stopped.
        if before.hasEnded, before.isSeeking {
            session?.hasEnded = false
            session?.isPaused = true
            return
        }
        guard before.isPlaying, !isEndNear(queue) else { return }
        session?.isPaused = true
        emit(.pause)
    }

    /// Whether the end is what follows, at the same place: players pause themselves there.
    private func isEndNear(_ queue: ReportQueue) -> Bool {
        let end = queue.next(within: Self.together) { held in
            guard let state = held.record.state, state != .paused else { return false }
            return held.record.event != .response && reporter(of: held.record) == .content
        }
        guard let end, queue.reports[end].record.state == .ended else { return false }
        guard let here = current.state.playhead, let there = queue.reports[end].record.integer(.pt) else { return true }
        return abs(there - here) <= 1000
    }

    private mutating func complete() {
        guard session?.hasEnded == false else { return }
        endBuffering()
        endSeek()
        session?.hasEnded = true
        emit(.complete)
    }

    private mutating func fail(_ record: CMCDRecord, _ queue: inout ReportQueue) {
        guard session?.hasFailed == false else { return }
        session?.hasFailed = true
        var codes = record.errorCodes
        var isFatal: Bool? = true
        let error = queue.next(within: Self.together) { held in
            held.record.event == .error && !held.isAbsorbed && reporter(of: held.record) == .content
        }
        if record.event != .error, let error {
            if codes.isEmpty { codes = queue.reports[error].record.errorCodes }
            queue.absorb(error)
        }
        if error != nil || record.event == .error, mayFailLightly(codes) { isFatal = nil }
        current.isErrorTold = true
        tellError(codes, isFatal: isFatal)
    }

    /// What was over is played again: a new session of the same content.
    private mutating func playAgain(_ state: CMCDState, _ report: HeldReport, _ queue: inout ReportQueue) {
        guard let before = session else { return }
        emit(.videoUnload)
        session = before.again(droppedBefore: droppedFrames ?? 0)
        sessions += 1
        emit(.videoLoad, session?.videoAttributes ?? [])
        startPlay()
        if state != .starting { enter(state, report, &queue) }
    }

    mutating func endBuffering() {
        guard session?.isBuffering == true else { return }
        session?.isBuffering = false
        emit(.bufferComplete)
    }

    private mutating func endSeek() {
        guard session?.isSeeking == true else { return }
        session?.isSeeking = false
        emit(.seekComplete)
    }
}
