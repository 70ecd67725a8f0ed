/// When a run of events ends because nothing comes any more.
struct EventSilence {
    private enum State {
        case playing
        case paused
        case failed
        case stopped
    }

    private let patience: ReportPatience
    private var state = State.playing
    private var stateTime = Int64.min
    private var firstReceived: Int64?
    private var lastReceived: Int64?

    init(_ patience: ReportPatience) {
        self.patience = patience
    }

    /// Looks at what an event says of how long its player may be silent.
    mutating func hear(_ event: HeldEvent) {
        firstReceived = firstReceived ?? event.received
        lastReceived = event.received
        guard event.time >= stateTime else { return }
        let said: State? =
            switch event.event.kind {
            case .playing, .resume: .playing
            case .paused, .pause: .paused
            case .error: .failed
            case .stopped: .stopped
            // Heartbeats go on in a pause with some players.
            case .heartbeat, .buffered: state == .failed ? .playing : nil
            default: nil
            }
        guard let said else { return }
        state = said
        stateTime = event.time
    }

    /// When the run ends if nothing else comes, us since 1970.
    var end: Int64? {
        guard let firstReceived, let lastReceived else { return nil }
        return min(lastReceived + longest, firstReceived + patience.longestRun)
    }

    /// Why it ends then.
    var reason: String {
        guard let firstReceived, let end else { return "timeout" }
        return end == firstReceived + patience.longestRun ? "limit" : "timeout"
    }

    private var longest: Int64 {
        switch state {
        case .failed, .stopped: patience.afterEnd
        case .paused: patience.whilePaused
        case .playing: patience.whilePlaying
        }
    }
}
