internal import TextEncoding

/// What was read of one run so far, as far as a selection asks for it.
struct RunContent {
    private let epoch: Int64
    private var last: Int64 = 0
    private var isMet: Bool
    /// Attributes of the session by name: the last value of each.
    private var media: [String: JSONValue] = [:]

    init(epoch: Int64, _ criteria: RunCriteria) {
        self.epoch = epoch
        isMet = criteria.condition == nil
    }

    /// Whether the run is wanted, by all that was read of it.
    func isWanted(_ criteria: RunCriteria) -> Bool {
        isMet && criteria.has(begin: epoch, end: epoch + last)
    }

    /// Takes a line of the run.
    mutating func take(_ line: JSONObject, _ criteria: RunCriteria) {
        last = max(last, line["t_us"]?.int ?? 0)
        guard !isMet, let condition = criteria.condition, let event = line["event"]?.string else { return }
        if event == "video_load" { media = [:] }
        let attributes = line["attributes"]?.object ?? JSONObject()
        for attribute in attributes { media[attribute.key] = attribute.value }
        isMet = condition.holds { name in
            switch name {
            case "event", "run", "session", "t_us", "n": line[name]
            case _ where name.hasPrefix("media."): media[String(name.dropFirst(6))]
            case _ where name.hasPrefix("state."): line["state"]?[String(name.dropFirst(6))]
            default: attributes[name]
            }
        }
    }
}
