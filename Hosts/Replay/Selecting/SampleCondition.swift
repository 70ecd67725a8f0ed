internal import EventModel
internal import TextEncoding

/// What is left of an expression to ask of playhead samples, which most of an archive is made of: they have no
/// attributes, and a state of at most three members.
struct SampleCondition: Sendable {
    /// Whether samples that follow each other may differ to it.
    let tellsSamplesApart: Bool

    /// What differs from sample to sample, by its name in expressions.
    private enum Field: String {
        case playhead = "state.playhead_ms"
        case adPlayhead = "state.ad_playhead_ms"
        case liveWall = "state.live_wall_ms"
        case time = "t_us"
        case ordinal = "n"
    }

    /// The expression, with those numbers compared as such: there is one to ask at each sample.
    private indirect enum Test: Sendable {
        case not(Test)
        case all([Test])
        case any([Test])
        case number(Field, Expression.Comparator, Double)
        case other(Expression)

        init(_ expression: Expression) {
            switch expression {
            case .not(let inner): self = .not(Test(inner))
            case .all(let parts): self = .all(parts.map { Test($0) })
            case .any(let parts): self = .any(parts.map { Test($0) })
            case .comparison(let comparator, .name(let name), .literal(let value)):
                guard let field = Field(rawValue: name), let number = value.double else { fallthrough }
                self = .number(field, comparator, number)
            default: self = .other(expression)
            }
        }

        func holds(_ values: Values) -> Bool {
            switch self {
            case .not(let inner): return !inner.holds(values)
            case .all(let parts): return parts.allSatisfy { $0.holds(values) }
            case .any(let parts): return parts.contains { $0.holds(values) }
            case .other(let expression): return expression.holds(values)
            case .number(let field, let comparator, let number):
                guard let own = values.number(field).map({ Double($0) }) else { return comparator == .unequal }
                switch comparator {
                case .equal: return own == number
                case .unequal: return own != number
                case .less: return own < number
                case .greater: return own > number
                case .atMost: return own <= number
                case .atLeast: return own >= number
                case .like: return false
                }
            }
        }
    }

    private let test: Test

    /// Simplifies an expression; nil when it holds for no sample.
    init?(_ expression: Expression) {
        let left = expression.simplified { name in
            if name == "event" { return .literal("playhead_sample") }
            let isKnown = name == "run" || name.hasPrefix("media.") || Field(rawValue: name) != nil
            return isKnown ? .name(name) : .literal(.null)
        }
        guard left.outcome != false else { return nil }
        test = Test(left)
        tellsSamplesApart = left.names.contains { Field(rawValue: $0) != nil }
    }

    /// Whether it holds for a sample.
    func holds(_ sample: EventView, ordinal: UInt64, run: String, media: [String: JSONValue]) -> Bool {
        test.holds(Values(sample: sample, ordinal: ordinal, run: run, media: media))
    }

    private struct Values: ExpressionValues {
        let sample: EventView
        let ordinal: UInt64
        let run: String
        let media: [String: JSONValue]

        func number(_ field: Field) -> Int64? {
            switch field {
            case .playhead: sample.state.reportedPlayheadMilliseconds
            case .adPlayhead: sample.state.adPlayheadMilliseconds
            case .liveWall: sample.state.liveWallMilliseconds
            case .time: sample.time
            case .ordinal: Int64(clamping: ordinal)
            }
        }

        func value(of name: String) -> JSONValue? {
            if let field = Field(rawValue: name) { return number(field).map { .int($0) } }
            return name == "run" ? .string(run) : media[String(name.dropFirst(6))]
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
