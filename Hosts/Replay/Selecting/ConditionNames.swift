internal import EventModel
internal import TextEncoding

/// The names of an expression, and those of them that nothing has.
///
/// What a line and a state can have is known. An attribute that is not in the vocabulary may be an application's own:
/// whether it is, only the archives show.
struct ConditionNames {
    /// Members of an event's line.
    private static let members = ["event", "session", "t_us", "n", "run"]
    /// Members of a state, as the data model has them and as archives add.
    private static let stateMembers = [
        "playhead_ms", "ad_playhead_ms", "live_wall_ms", "duration_ms", "bitrate_bps", "throughput_bps",
        "dropped_frames", "rendered_frames", "fps_milli", "width", "height", "rate_milli", "volume_milli",
        "player_width", "player_height", "muted", "fullscreen", "live", "audio_only", "playhead_age_us", "is",
    ]
    private static let vocabulary = AttributeKey.wellKnown.map { "\($0.name)" }
    /// Words that people use for what has another name.
    private static let otherWords = [
        "type": "event", "event_type": "event", "time": "t_us", "t": "t_us", "asset": "media.video_id",
    ]
    /// How many of the applications' own names a warning has.
    private static let ownShown = 20

    /// Names of attributes that neither the vocabulary has nor an event had so far, as the expression has them.
    private var unseen: [String]
    /// Attributes of events that the vocabulary does not have.
    private var own: Set<String> = []

    /// Begins before the first event.
    init(_ condition: Expression?) {
        var names: [String] = []
        for name in condition?.names ?? [] where !Self.isKnown(name) && !names.contains(name) { names.append(name) }
        unseen = names
    }

    /// What is wrong with an expression that names something no state has; nil when it does not.
    static func problem(with condition: Expression) -> String? {
        let members = condition.names.filter { $0.hasPrefix("state.") }.map { String($0.dropFirst(6)) }
        guard let wrong = members.first(where: { !stateMembers.contains($0) }) else { return nil }
        let nearest = NearestName.among(stateMembers, to: wrong).map { "did you mean state.\($0)?" }
        let known = stateMembers.map { "state." + $0 }.joined(separator: ", ")
        return "there is no state.\(wrong); " + (nearest ?? "there are \(known)")
    }

    /// Reads an event of a run that may be wanted.
    mutating func read(_ event: EventView) {
        guard !unseen.isEmpty else { return }
        for attribute in event.attributes where attribute.key == .none {
            let name = attribute.name.string
            own.insert(name)
            unseen.removeAll { Self.attribute($0) == name }
        }
    }

    /// What no event had, one sentence each.
    var warnings: [String] {
        unseen.map { name in
            let text = "--where: no event of these archives has \"\(name)\""
            if let nearest = nearest(to: name) { return "\(text); did you mean \(nearest)?" }
            let found = own.sorted().prefix(Self.ownShown).joined(separator: ", ")
            return "\(text), and it is no name of the data model (docs/data-model.md)"
                + (found.isEmpty ? "" : "; own names in these archives are \(found)")
        }
    }

    private func nearest(to name: String) -> String? {
        let attributes = Self.vocabulary + own.sorted()
        // The very name may stand elsewhere, or under another word.
        let bare = ["media.", "attributes.", "event."].reduce(name) { String($0.trimmingPrefix($1)) }
        if let other = Self.otherWords[bare] { return other }
        if (Self.members + attributes).contains(bare) { return bare }
        if Self.stateMembers.contains(bare) { return "state." + bare }
        // What both begin with says nothing of how near they are.
        if name.hasPrefix("media.") {
            return NearestName.among(attributes, to: Self.attribute(name)).map { "media." + $0 }
        }
        let media = attributes.map { "media." + $0 }
        let state = Self.stateMembers.map { "state." + $0 }
        return NearestName.among(Self.members + attributes + media + state, to: name)
            ?? NearestName.among(Self.stateMembers, to: bare).map { "state." + $0 }
    }

    private static func isKnown(_ name: String) -> Bool {
        members.contains(name) || name.hasPrefix("state.") || vocabulary.contains(attribute(name))
    }

    /// The attribute that a name stands for.
    private static func attribute(_ name: String) -> String {
        name.hasPrefix("media.") ? String(name.dropFirst(6)) : name
    }
}

extension Expression {
    /// The names in it, in their order.
    var names: [String] {
        switch self {
        case .literal: []
        case .name(let name): [name]
        case .not(let inner), .fits(let inner, _): inner.names
        case .all(let parts), .any(let parts): parts.flatMap(\.names)
        case .comparison(_, let left, let right): left.names + right.names
        }
    }
}
