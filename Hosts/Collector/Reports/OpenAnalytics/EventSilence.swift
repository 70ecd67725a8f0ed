/// When a run of events ends because nothing comes any more.
struct EventSilence {
    private var silence: Silence
    private var hasFailed = false
    private var stateTime = Int64.min

    init(_ patience: ReportPatience) { silence = Silence(patience) }

    /// When the run ends if nothing else comes, us since 1970.
    var end: Int64? { silence.end }

    /// Why it ends then.
    var reason: String { silence.reason }

    /// Looks at what an event says of how long its player may be silent.
    mutating func hear(_ event: HeldEvent) {
        silence.hear(at: event.received)
        guard event.time >= stateTime else { return }
        let said: Silence.Course? =
            switch event.event.kind {
            case .playing, .resume: .playing
            case .paused, .pause: .paused
            case .error, .stopped: .over
            // Heartbeats go on in a pause with some players.
            case .heartbeat, .buffered: hasFailed ? .playing : nil
            default: nil
            }
        guard let said else { return }
        silence.course = said
        hasFailed = event.event.kind == .error
        stateTime = event.time
    }
}
