internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// What was read of one run so far, as far as a selection asks for it.
final class RunContent {
    /// Its id.
    let run: String
    private let epoch: Int64
    private var last: Int64 = 0
    private var session: SessionNumber
    /// Sessions that began.
    private var sessions: Set<Int> = []
    /// Sessions in which an event is as it is asked for; 0 stands for what is in none.
    private var met: Set<Int> = []
    /// Attributes of the session that are asked for, by name: the last value of each.
    private var media: [String: JSONValue] = [:]

    init(_ header: ArchiveHeader) {
        run = header.run
        epoch = header.epoch
        session = SessionNumber(header)
    }

    /// Knows of a run what its archive's index does, which no expression asks for.
    init(_ run: ArchiveIndex.Run, _ criteria: RunCriteria) {
        self.run = run.id
        epoch = run.epoch
        last = run.time
        session = SessionNumber()
        sessions = Set(run.assets.keys.filter { $0 > 0 })
        met = Set(run.assets.filter { $0.value.contains { criteria.has(asset: $0) } }.keys)
    }

    /// Whether the run is wanted, by all that was read of it.
    func isWanted(_ criteria: RunCriteria) -> Bool {
        let end = epoch.addingReportingOverflow(last)
        guard criteria.has(begin: epoch, end: end.overflow ? .max : end.partialValue) else { return false }
        if criteria.sessions.isEmpty { return criteria.condition == nil || !met.isEmpty }
        return !sessions(criteria).isEmpty
    }

    /// The sessions of the run that are wanted.
    func sessions(_ criteria: RunCriteria) -> Set<Int> {
        let all = criteria.condition == nil ? sessions : met.filter { $0 > 0 }
        return all.filter { criteria.sessions.isEmpty || criteria.sessions.contains($0) }
    }

    /// The run has come to a time.
    func reach(_ time: Int64) { last = max(last, time) }

    /// Whether the condition has still to be asked of events of this session.
    func asksOn(_ criteria: RunCriteria) -> Bool { criteria.condition != nil && !met.contains(session.open) }

    /// Asks a playhead sample of the run, when it may not be as the one before it.
    ///
    /// - Returns: whether the next one has to be asked too.
    func ask(_ condition: SampleCondition, _ sample: EventView, ordinal: UInt64) -> Bool {
        let holds = condition.holds(sample, ordinal: ordinal, run: run, media: media)
        if holds { met.insert(session.open) }
        return !holds && condition.tellsSamplesApart
    }

    /// Reads an event of the run.
    func read(_ event: EventView, ordinal: UInt64, _ line: LineMembers, _ criteria: RunCriteria) {
        reach(event.time)
        if event.type == .videoLoad {
            media = [:]
            session.begin()
            sessions.insert(session.open)
        }
        defer { if event.type == .videoUnload { session.end() } }
        guard let condition = criteria.condition, !met.contains(session.open) else { return }
        for name in criteria.media where event.attributes.contains(where: { $0.name == name }) {
            media[name] = line["attributes"]?[name]
        }
        let values = EventValues(run: run, event: event, ordinal: ordinal, line: line, media: media)
        if condition.holds(values) { met.insert(session.open) }
    }
}

/// The members of a line, which are parsed once one of them is asked for.
@safe final class LineMembers {
    private let bytes: UnsafeRawBufferPointer
    private lazy var members = unsafe (try? JSONParser().parse(bytes).object) ?? JSONObject()

    /// Lends the bytes of a line.
    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = unsafe bytes }

    subscript(name: String) -> JSONValue? { members[name] }
}

/// What the names of an expression stand for at an event.
private struct EventValues: ExpressionValues {
    let run: String
    let event: EventView
    let ordinal: UInt64
    let line: LineMembers
    let media: [String: JSONValue]

    func value(of name: String) -> JSONValue? {
        switch name {
        case "event": .string(event.typeName.string)
        case "run": .string(run)
        case "session": line["session"]
        case "t_us": .int(event.time)
        case "n": .int(Int64(clamping: ordinal))
        case _ where name.hasPrefix("media."): media[String(name.dropFirst(6))]
        case _ where name.hasPrefix("state."): state(String(name.dropFirst(6)))
        default: event.attributes.contains { $0.name == name } ? line["attributes"]?[name] : nil
        }
    }

    /// A member of the state as the line has it, which need not be parsed for what the decoder keeps of most lines.
    private func state(_ member: String) -> JSONValue? {
        let state = event.state
        switch member {
        case "live_wall_ms": return state.liveWallMilliseconds.map { .int($0) }
        case "duration_ms": return state.durationMilliseconds.map { .int($0) }
        case "bitrate_bps": return state.bitrate.map { .int($0) }
        case "throughput_bps": return state.throughput.map { .int($0) }
        case "dropped_frames": return state.droppedFrames.map { .int($0) }
        case "rendered_frames": return state.renderedFrames.map { .int($0) }
        case "playhead_ms":
            // It does not keep one that has an age.
            if let playhead = state.reportedPlayheadMilliseconds { return .int(playhead) }
        default: break
        }
        return line["state"]?[member]
    }
}
