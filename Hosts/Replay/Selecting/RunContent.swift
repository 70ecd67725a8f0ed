internal import TextEncoding

/// What was read of one run so far, as far as a selection asks for it.
struct RunContent {
    private let epoch: Int64
    private var last: Int64 = 0
    /// The number of the last session that began.
    private var count = 0
    /// The session that is open; 0 outside.
    private var session = 0
    /// Sessions in which an event is as it is asked for; 0 stands for what is in none.
    private var met: Set<Int> = []
    /// Attributes of the session by name: the last value of each.
    private var media: [String: JSONValue] = [:]

    init(epoch: Int64) { self.epoch = epoch }

    /// Whether the run is wanted, by all that was read of it.
    func isWanted(_ criteria: RunCriteria) -> Bool {
        guard criteria.has(begin: epoch, end: epoch + last) else { return false }
        if criteria.sessions.isEmpty { return criteria.condition == nil || !met.isEmpty }
        return !sessions(criteria).isEmpty
    }

    /// The sessions of the run that are wanted.
    func sessions(_ criteria: RunCriteria) -> Set<Int> {
        let all = criteria.condition == nil ? Set(1..<count + 1) : met.filter { $0 > 0 }
        return all.filter { criteria.sessions.isEmpty || criteria.sessions.contains($0) }
    }

    /// Reads a line of the run.
    mutating func read(_ line: JSONObject, _ criteria: RunCriteria) {
        last = max(last, line["t_us"]?.int ?? 0)
        guard let event = line["event"]?.string else { return }
        if event == "video_load" {
            media = [:]
            count += 1
            session = count
        }
        defer { if event == "video_unload" { session = 0 } }
        guard let condition = criteria.condition, !met.contains(session) else { return }
        let attributes = line["attributes"]?.object ?? JSONObject()
        for attribute in attributes { media[attribute.key] = attribute.value }
        if condition.holds(EventValues(line: line, attributes: attributes, media: media)) { met.insert(session) }
    }
}

/// What the names of an expression stand for at an event.
private struct EventValues: ExpressionValues {
    let line: JSONObject
    let attributes: JSONObject
    let media: [String: JSONValue]

    func value(of name: String) -> JSONValue? {
        switch name {
        case "event", "run", "session", "t_us", "n": line[name]
        case _ where name.hasPrefix("media."): media[String(name.dropFirst(6))]
        case _ where name.hasPrefix("state."): line["state"]?[String(name.dropFirst(6))]
        default: attributes[name]
        }
    }
}
