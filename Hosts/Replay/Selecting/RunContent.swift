internal import Archive
internal import EventModel
internal import TextEncoding

/// What was read of one run so far, as far as a selection asks for it.
final class RunContent {
    /// Its id.
    let run: String
    private let epoch: Int64
    private let erased: Set<UInt32>
    private var last: Int64 = 0
    /// The number of the last session that began.
    private var count: UInt32 = 0
    /// The session that is open; 0 outside.
    private var session = 0
    /// Sessions that began.
    private var sessions: Set<Int> = []
    /// Sessions in which an event is as it is asked for; 0 stands for what is in none.
    private var met: Set<Int> = []
    /// Attributes of the session that are asked for, by name: the last value of each.
    private var media: [String: JSONValue] = [:]

    init(_ header: ArchiveHeader) {
        run = header.run
        epoch = header.epoch
        erased = Set(header.erasedSessions)
    }

    /// Whether the run is wanted, by all that was read of it.
    func isWanted(_ criteria: RunCriteria) -> Bool {
        guard criteria.has(begin: epoch, end: epoch + last) else { return false }
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
    func asksOn(_ criteria: RunCriteria) -> Bool { criteria.condition != nil && !met.contains(session) }

    /// Reads an event of the run; `line` is nil for a playhead sample that has nothing else.
    func read(_ event: EventView, ordinal: UInt64, _ line: LineMembers?, _ criteria: RunCriteria) {
        reach(event.time)
        if event.type == .videoLoad {
            media = [:]
            // As a replay numbers them.
            repeat { count += 1 } while erased.contains(count)
            session = Int(count)
            sessions.insert(session)
        }
        defer { if event.type == .videoUnload { session = 0 } }
        guard let condition = criteria.condition, !met.contains(session) else { return }
        for name in criteria.media where event.attributes.contains(where: { $0.name == name }) {
            media[name] = line?["attributes"]?[name]
        }
        let values = EventValues(run: run, event: event, ordinal: ordinal, line: line, media: media)
        if condition.holds(values) { met.insert(session) }
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
    let line: LineMembers?
    let media: [String: JSONValue]

    func value(of name: String) -> JSONValue? {
        switch name {
        case "event": .string(event.typeName.string)
        case "run": .string(run)
        case "session": line?["session"]
        case "t_us": .int(event.time)
        case "n": .int(Int64(clamping: ordinal))
        case _ where name.hasPrefix("media."): media[String(name.dropFirst(6))]
        case _ where name.hasPrefix("state."): state(String(name.dropFirst(6)))
        default: event.attributes.contains { $0.name == name } ? line?["attributes"]?[name] : nil
        }
    }

    /// A member of the state as the line has it.
    private func state(_ member: String) -> JSONValue? {
        // Of most lines nothing else is asked. A playhead with an age is none of what was decoded.
        if member == "playhead_ms", let playhead = event.state.reportedPlayheadMilliseconds { return .int(playhead) }
        if let line { return line["state"]?[member] }
        switch member {
        case "ad_playhead_ms": return event.state.adPlayheadMilliseconds.map { .int($0) }
        case "live_wall_ms": return event.state.liveWallMilliseconds.map { .int($0) }
        default: return nil
        }
    }
}
