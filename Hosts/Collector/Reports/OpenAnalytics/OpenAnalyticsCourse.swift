internal import EventModel

/// What happened in a run so far, and the calls that its next event makes.
///
/// Events come in the order in which they happened.
struct OpenAnalyticsCourse {
    /// The calls that were not fetched yet.
    var calls: [TrackedCall] = []
    /// The time of what was played last, us since 1970.
    private(set) var knownUntil: Int64 = 0
    /// Whether the player said that it was the end.
    private(set) var isStopped = false

    var metadata = OpenAnalyticsMetadata()
    /// What is known of the session that goes on; nil outside one.
    var session: Session?
    private var isReady = false
    private var unit: PlayheadUnit
    /// What the calls of the event that is played share.
    private var time: Int64 = 0
    private(set) var state = ReportedState()

    /// What goes on between load and unload.
    struct Session {
        var hasPlayed = false
        var isPaused = false
        var isBuffering = false
        var isSeeking = false
        /// Whether a seek was closed by something else than its end, which may still come.
        var isSeekEndOpen = false
        /// The heartbeat's playhead before anything played, in the player's unit.
        var firstPlayhead: Double?
        /// Where it stood last, and when, us.
        var place: (playhead: Int64, time: Int64)?

        /// Where playback should be.
        func expectedPlayhead(at time: Int64) -> Int64? {
            let isMoving = hasPlayed && !isPaused && !isBuffering && !isSeeking
            return place.map { $0.playhead + (isMoving ? (time - $0.time) / 1000 : 0) }
        }
    }

    init(_ options: OpenAnalyticsOptions) {
        unit = PlayheadUnit(options.unit)
    }

    /// Makes the calls of an event; `isFatal` says of an error whether playback ended with it.
    mutating func play(_ held: HeldEvent, isFatal: Bool) {
        let event = held.event
        time = max(held.time, knownUntil)
        let firstCall = calls.count
        unit.observe(event, at: time / 1000)
        readState(event)
        if let step = held.clockStep { emitCustom("device_clock_step", [("step_ms", .int(step / 1000))]) }
        perform(event, isFatal: isFatal)
        if let playhead = state.playhead { session?.place = (playhead, time) }
        knownUntil = time
        guard calls.count > firstCall, held.isShifted || held.time < time else { return }
        calls[calls.count - 1].set("epas_timestamp", .int(event.timestamp))
    }

    /// Ends the session that goes on, where its last event was.
    mutating func end(because reason: String) {
        guard session != nil else { return }
        time = knownUntil
        state = ReportedState()
        emit(.videoUnload, [TrackedCall.Attribute("ended_by", .string(reason))])
        session = nil
    }

    private mutating func readState(_ event: OpenAnalyticsEvent) {
        if event.kind == .metadata { metadata.merge(event) }
        state = ReportedState()
        state.isLive = metadata.isLive
        if let playhead = unit.milliseconds(event.playhead) {
            if Double(playhead) >= PlayheadUnit.earliestWall {
                state.liveWall = playhead
            } else {
                state.playhead = playhead
            }
        }
        state.duration = metadata.isLive == true ? -1 : unit.milliseconds(event.duration)
    }

    private mutating func perform(_ event: OpenAnalyticsEvent, isFatal: Bool) {
        switch event.kind {
        case .initialized:
            guard !isReady else { return }
            isReady = true
            emit(.playerReady)
        case .metadata:
            if session != nil { emit(.metadataChange, metadata.attributes) }
        case .loading:
            if session == nil { load() }
        case .loaded:
            open()
            emitCustom("loaded")
        case .report: emitCustom("report")
        case .error, .warning: emit(.playerError, event.errorAttributes(isFatal: event.kind == .error && isFatal))
        case .stopped: stop(event)
        case .playing, .resume, .paused, .pause, .buffering, .buffered, .seeking, .seeked, .bitrateChanged, .heartbeat:
            open()
            follow(event)
        }
    }

    private mutating func load(joined: Bool = false) {
        session = Session()
        emit(.videoLoad, metadata.attributes + (joined ? [TrackedCall.Attribute("epas_joined", .bool(true))] : []))
    }

    /// Begins a session whose load was not reported.
    private mutating func open() {
        if session == nil { load(joined: true) }
    }

    private mutating func stop(_ event: OpenAnalyticsEvent) {
        isStopped = true
        guard session != nil else { return }
        let reason = event.text("reason")
        if let reason, ["ended", "playback ended"].contains(reason.lowercased()) { emit(.complete) }
        emit(.videoUnload, reason.map { [TrackedCall.Attribute("epas_reason", .string($0))] } ?? [])
        session = nil
    }

    /// Makes a call at the time of the event that is played.
    mutating func emit(_ type: EventType, _ attributes: [TrackedCall.Attribute] = []) {
        calls.append(TrackedCall(type, at: time, state: state, attributes: attributes))
    }

    private mutating func emitCustom(_ name: String, _ attributes: [(name: String, value: PlainValue)] = []) {
        let named = TrackedCall.Attribute("custom_name", .string(name))
        emit(.custom, [named] + attributes.map { TrackedCall.Attribute($0.name, $0.value) })
    }

    /// The time of the event that is played, us.
    var now: Int64 { time }

    /// Says that a figure is known with the calls of this event.
    mutating func say(_ change: (inout ReportedState) -> Void) { change(&state) }
}
