internal import CTally
internal import EventModel
internal import PlayerSignals
internal import Tally
internal import TallyEmbedding

/// What stands behind a `tally_adapter`: a run, and the course of its player by signals.
final class AdapterHandle: Sendable {
    private struct State {
        var course: SignalCourse
        var chapters: [SignalledChapter] = []
        /// What was wrong with signals and is logged; one that comes every 250 ms is logged once.
        var faults: Set<SignalFault> = []
    }

    /// How many faults are logged.
    private static let faultLimit = 32

    let handle: RunHandle
    private let tally: TallyHandle
    private let state: Lock<State>

    init(
        in tally: TallyHandle,
        archive: String?,
        begunNs: Int64,
        player: [TrackedCall.Attribute]
    ) throws(EmbeddingError) {
        self.tally = tally
        handle = try RunHandle(in: tally, archive: archive, startedAgo: RunHandle.startedAgo(begunNs))
        state = Lock(State(course: SignalCourse(player: player, at: begunNs > 0 ? begunNs : Self.nowNs)))
        track()
    }

    /// Follows a signal; the number of track calls that it came to, or what `tally_signal` answers otherwise.
    func follow(_ name: String, _ attributes: [TrackedCall.Attribute], at timeNs: Int64) -> Int32 {
        guard handle.run.isOpen else { return Int32(TALLY_ENDED) }
        // What is still to come happens now: it is a time of another clock.
        let nowNs = Self.nowNs
        let timeNs = timeNs > 0 ? min(timeNs, nowNs) : nowNs
        let named = NamedSignal(name, attributes)
        if let fault = named.fault { warn(of: fault) }
        return state.with { state in
            switch named.meaning {
            case .unknown: return Int32(TALLY_UNKNOWN_EVENT)
            case .faulty: return Int32(TALLY_WRONG_ATTRIBUTES)
            case .chapter(let chapter):
                state.chapters.append(chapter)
                state.course.handle(.chapters(state.chapters), at: timeNs)
            case .signals(let signals):
                state.course.advance(to: timeNs)
                for signal in signals {
                    if signal == .chapters([]) { state.chapters = [] }
                    state.course.handle(signal, at: timeNs)
                }
            }
            return track(&state.course)
        }
    }

    private func warn(of fault: SignalFault) {
        let isNew = state.with { $0.faults.count < Self.faultLimit && $0.faults.insert(fault).inserted }
        if isNew { tally.tally.warn("\(fault)") }
    }

    /// Ends the session and the run.
    func end(limit: Int64) {
        if handle.run.isOpen {
            state.with { state in
                state.course.finish(at: Self.nowNs)
                _ = track(&state.course)
            }
        }
        handle.run.destroy(limit < 0 ? .cancel : .drain(limit: limit))
    }

    private func track() { state.with { _ = track(&$0.course) } }

    /// Makes the track calls that wait; how many.
    ///
    /// Under the lock: their order is that of the signals.
    private func track(_ course: inout SignalCourse) -> Int32 {
        let calls = course.removeCalls()
        guard !calls.isEmpty else { return 0 }
        let (time, nowNs) = (handle.run.time, Self.nowNs)
        for call in calls {
            // It is told as of its own time, which is a while ago when libtally was not open then.
            handle.player.set(call.known, at: max(0, time - max(0, nowNs - call.timeNs) / 1_000))
            handle.run.track(call.call)
        }
        handle.player.happen(at: -1)
        return Int32(clamping: calls.count)
    }

    private static var nowNs: Int64 { SystemTime.monotonic() * 1_000 }
}

extension PushedPlayer {
    fileprivate func set(_ known: SignalledCall.Known, at time: Int64) {
        happen(at: time)
        setState(known.state)
        setInfo(Int(TALLY_SUBJECT_VIDEO.rawValue), known.video)
        setInfo(Int(TALLY_SUBJECT_QUALITY.rawValue), known.quality)
        setInfo(Int(TALLY_SUBJECT_CHAPTER.rawValue), known.chapter)
    }
}

extension PlayerRun {
    /// Makes a call that signals came to.
    fileprivate func track(_ call: SignalledCall.Call) {
        switch call {
        case .event(let type, let attributes):
            track(type) { encoder in
                for attribute in attributes { encoder.set(custom: attribute.name, attribute.value) }
            }
        case .renditionChange(let rendition): trackRenditionChange(rendition)
        case .requestCompleted(let request): trackRequestCompleted(request)
        case .requestFailed(let request, let details): trackRequestFailed(request, details)
        case .playerError(let id, let details): trackVideoPlayerError(id, details)
        }
    }
}
