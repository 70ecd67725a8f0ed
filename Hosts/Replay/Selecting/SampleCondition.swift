internal import EventModel
internal import TextEncoding

/// What is left of an expression to ask of playhead samples, which most of an archive is made of: they have no
/// attributes, and a state of at most three members.
struct SampleCondition {
    private let expression: Expression
    /// Whether samples that follow each other may differ to it.
    let tellsSamplesApart: Bool

    /// Names that are known at each sample, as short as a text can be that is compared at once.
    private static let own = [
        "state.playhead_ms": "playhead", "state.ad_playhead_ms": "ad", "state.live_wall_ms": "wall", "t_us": "t",
        "n": "n",
    ]

    /// Simplifies an expression; nil when it holds for no sample.
    init?(_ expression: Expression) {
        let left = expression.simplified { name in
            if name == "event" { return .literal("playhead_sample") }
            if let own = Self.own[name] { return .name(own) }
            return name == "run" || name.hasPrefix("media.") ? .name(name) : .literal(.null)
        }
        guard left.outcome != false else { return nil }
        self.expression = left
        tellsSamplesApart = left.names.contains(where: Self.own.values.contains)
    }

    /// Whether it holds for a sample.
    func holds(_ sample: EventView, ordinal: UInt64, run: String, media: [String: JSONValue]) -> Bool {
        expression.holds(Values(sample: sample, ordinal: ordinal, run: run, media: media))
    }

    private struct Values: ExpressionValues {
        let sample: EventView
        let ordinal: UInt64
        let run: String
        let media: [String: JSONValue]

        func value(of name: String) -> JSONValue? {
            switch name {
            case "playhead": sample.state.reportedPlayheadMilliseconds.map { .int($0) }
            case "ad": sample.state.adPlayheadMilliseconds.map { .int($0) }
            case "wall": sample.state.liveWallMilliseconds.map { .int($0) }
            case "t": .int(sample.time)
            case "n": .int(Int64(clamping: ordinal))
            case "run": .string(run)
            default: media[String(name.dropFirst(6))]
            }
        }
    }
}

extension Expression {
    /// Puts expressions in the place of names, and values in the place of what is known then.
    fileprivate func simplified(_ name: (String) -> Expression) -> Expression {
        switch self {
        case .literal: return self
        case .name(let own): return name(own)
        case .not(let inner):
            let inner = inner.simplified(name)
            return inner.outcome.map { .literal(.bool(!$0)) } ?? .not(inner)
        case .all(let parts):
            let parts = parts.map { $0.simplified(name) }.filter { $0.outcome != true }
            if parts.contains(where: { $0.outcome == false }) { return .literal(false) }
            return parts.isEmpty ? .literal(true) : .all(parts)
        case .any(let parts):
            let parts = parts.map { $0.simplified(name) }.filter { $0.outcome != false }
            if parts.contains(where: { $0.outcome == true }) { return .literal(true) }
            return parts.isEmpty ? .literal(false) : .any(parts)
        case .comparison(let comparator, let left, let right):
            return Expression.comparison(comparator, left.simplified(name), right.simplified(name)).value
        case .fits(let text, let pattern): return Expression.fits(text.simplified(name), pattern).value
        }
    }

    /// A value instead of itself, when it has no names.
    private var value: Expression { names.isEmpty ? .literal(.bool(holds(NoValues()))) : self }

    /// Whether a value holds; nil for anything else.
    fileprivate var outcome: Bool? {
        if case .literal = self { return holds(NoValues()) }
        return nil
    }

    private struct NoValues: ExpressionValues {
        func value(of name: String) -> JSONValue? { nil }
    }
}
