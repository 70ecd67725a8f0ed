extension PlaybackState {
    private static let pauseLimitNs: Int64 = 300_000_000
    /// Without a decoder for one stream the pipeline now and then never prerolls the other.
    private static let missingDecoderLimitMs: Int64 = 2000
    /// So long no playhead stands still that moves; the players of browsers look after as much.
    private static let freezeLimitNs = 1_000_000_000.0

    mutating func polled(_ poll: EnginePoll) {
        switch phase {
        case .loading:
            checkLoadTime()
        case .ready:
            lastPoll = poll
            followPlayhead(poll)
            reportLatePause()
            passHole()
            checkMovement()
            samplePlayhead()
            sampleQuality(poll)
            checkProgress()
        case .idle, .ended, .closed:
            break
        }
    }

    private mutating func followPlayhead(_ poll: EnginePoll) {
        guard seekInFlight == nil, let positionMs = poll.positionMs else { return }
        guard playhead.observe(positionMs, at: lastTimeNs, rate: rate, isLive: media.isLive) else { return }
        progressTimeNs = lastTimeNs
        extendDuration(toMs: positionMs)
        endFreeze()
        if reportedPlaying, buffering == nil { isSettlingAfterSeek = false }
    }

    /// Tells of a playhead that stands still though it should move and nobody said why.
    ///
    /// A position that is not believed is no standstill: one of two streams has come to its end. Nor is one that this
    /// thread was late to look at.
    private mutating func checkMovement() {
        guard isUnhindered, !isFrozen, lastPoll.positionMs == playhead.positionMs else { return }
        guard !playhead.believesAll(at: lastTimeNs) else { return }
        guard Double(lastTimeNs - progressTimeNs) > Self.freezeLimitNs / min(rate, 1) else { return }
        isFrozen = true
        emit(.bufferingStarted(.frozen))
    }

    mutating func endFreeze() {
        guard isFrozen else { return }
        isFrozen = false
        emit(.bufferingCompleted(.frozen))
    }

    /// Whether the playhead should move.
    var isUnhindered: Bool {
        reportedPlaying && wantsPlaying && pauseTimeNs == nil && buffering == nil && seekInFlight == nil
    }

    /// A starved pipeline reaches its paused state only with the next data; the viewer sees the pause before that.
    private mutating func reportLatePause() {
        guard let pauseTimeNs, lastTimeNs - pauseTimeNs > Self.pauseLimitNs else { return }
        reportPaused()
    }

    private mutating func samplePlayhead() {
        guard isUnhindered, !isFrozen else { return }
        guard lastTimeNs >= nextPlayheadSampleNs, let positionMs = playhead.positionMs else { return }
        let intervalNs = configuration.playheadIntervalMs * 1_000_000
        nextPlayheadSampleNs += intervalNs
        if nextPlayheadSampleNs <= lastTimeNs { nextPlayheadSampleNs = lastTimeNs + intervalNs }
        emit(.playheadSample(positionMs: positionMs))
    }

    private mutating func sampleQuality(_ poll: EnginePoll) {
        guard reportedPlaying else { return }
        guard let sample = quality.sample(poll, rendition: renditions.current, at: lastTimeNs) else { return }
        emit(.qualitySample(sample))
    }

    private mutating func checkLoadTime() {
        let isNetwork = MediaLocation.isNetwork(location)
        let isMissingDecoder = !missingDecoders.isEmpty
        var limitMs = isNetwork ? configuration.loadTimeoutMs : configuration.fileLoadTimeoutMs
        if isMissingDecoder, !isNetwork { limitMs = min(limitMs, Self.missingDecoderLimitMs) }
        let loadingNs = lastTimeNs - loadTimeNs
        if !isNetwork, !isMissingDecoder, !isReopened, loadingNs > limitMs * 500_000 { reopen() }
        guard loadingNs > limitMs * 1_000_000 else { return }
        if isMissingDecoder, let error = missingStreamError() { return fail(error) }
        failOverTime(isNetwork ? .loadTimeout : .corrupt, "nothing was decoded within \(limitMs) ms")
    }

    /// On a busy machine GStreamer 1.22 now and then connects no stream of a file to a decoder; a second try helps.
    private mutating func reopen() {
        isReopened = true
        pendingActions.append(.reopen)
    }

    private mutating func checkProgress() {
        guard wantsPlaying || seekInFlight != nil else { return }
        guard lastTimeNs - progressTimeNs > configuration.stallTimeoutMs * 1_000_000 else { return }
        failOverTime(.stalled, "no progress for \(configuration.stallTimeoutMs) ms")
    }

    /// Fails with what a server refuses, or else with the limit that was reached.
    private mutating func failOverTime(_ code: EngineError.Code, _ limit: String) {
        let detail = doubted(limit)
        // Media in the clear may stall for other reasons, and a key for another player is never asked for.
        if isProtected, code != .stalled || (isForOthers && refused == nil) { return fail(error(.encrypted, detail)) }
        if refused == nil, let webPage { return fail(error(.notMedia, "\(webPage) is a web page")) }
        guard let refused else { return fail(error(code, detail)) }
        let status = refused.succeeded ? "and breaks off" : refused.status.map { "with status \($0)" }
        let answer = status ?? "not at all"
        let reason = ErrorClassifier.code(of: refused, keys: keys)
        var error = error(reason, "\(refused.url) is answered \(answer); \(detail)")
        error.httpStatus = refused.status
        fail(error)
    }

    private func doubted(_ detail: String) -> String {
        [detail, manifestDoubt].compactMap { $0 }.joined(separator: "; ")
    }
}

/// The last believable position.
///
/// A sink that has got the end of its stream reports the full duration as position, also when the file was cut short.
/// A jump that playback cannot have made in the time since the last look is therefore not believed, unless playback
/// goes on from there. A live stream has no duration, and jumps when what comes next is not there any more.
struct Playhead: Sendable {
    private static let jumpToleranceMs = 1000.0
    /// For how long a position must go on before a jump to it is believed.
    private static let doubtNs: Int64 = 1_000_000_000

    private(set) var positionMs: Int64?
    private var timeNs: Int64 = 0
    private var believesUntilNs = Int64.min
    /// Where playback seems to have jumped to, and when.
    private var doubted: (positionMs: Int64, timeNs: Int64)?

    /// Takes a polled position; false when it did not move or is not believed.
    mutating func observe(_ newMs: Int64, at nowNs: Int64, rate: Double, isLive: Bool = false) -> Bool {
        guard let positionMs else {
            set(newMs, at: nowNs)
            return true
        }
        let elapsedMs = Double(nowNs - timeNs) / 1_000_000
        let limitMs = elapsedMs * max(rate, 1) + Self.jumpToleranceMs
        let isBelieved = isLive || believesAll(at: nowNs) || Double(newMs - positionMs) <= limitMs
        guard isBelieved || goesOn(newMs, at: nowNs) else { return false }
        set(newMs, at: nowNs)
        return newMs != positionMs
    }

    private mutating func goesOn(_ newMs: Int64, at nowNs: Int64) -> Bool {
        guard let doubted, newMs >= doubted.positionMs else {
            doubted = (newMs, nowNs)
            return false
        }
        return nowNs - doubted.timeNs >= Self.doubtNs && newMs > doubted.positionMs
    }

    /// Takes a position that a seek or the end has set.
    mutating func set(_ newMs: Int64, at nowNs: Int64) {
        positionMs = newMs
        timeNs = nowNs
        doubted = nil
    }

    /// Believes every position up to a time: nobody knows how far playback gets.
    mutating func believe(untilNs timeNs: Int64) { believesUntilNs = timeNs }
    func believesAll(at nowNs: Int64) -> Bool { nowNs < believesUntilNs }
}
