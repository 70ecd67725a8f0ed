internal import EventModel
internal import HostSupport
internal import TextEncoding

/// Which player runs are wanted.
struct RunCriteria: Sendable {
    /// Patterns for run ids, one of which has to fit; none takes all.
    private let runs: [Glob]
    /// How many of a million runs are taken.
    private let sample: SampleShare?
    /// Wall clock, us since 1970.
    private let from: Int64?
    private let to: Int64?
    /// Patterns for assets, one of which the run has to play; none takes all.
    private let assets: [Glob]
    /// Whether there is an expression, for which events have to be read.
    let asksEvents: Bool
    /// What one event of the run has to be like, the asset included.
    let condition: Expression?
    /// Attributes whose last value in the session the condition asks for.
    let media: [String]
    /// The same condition, of playhead samples; nil when it holds for none.
    let sampleCondition: SampleCondition?
    /// Numbers of sessions, one of which the run has to have; none takes all.
    let sessions: Set<Int>
    /// How many runs are taken at most.
    let first: Int?

    /// Reads a command line with ``SelectionOptions/all``.
    init(_ arguments: CommandLineArguments) {
        runs = arguments[SelectionOptions.run].map { Glob($0) }
        sample = arguments[SelectionOptions.sample].map { SampleShare(percent: $0) }
        from = arguments[SelectionOptions.from]
        to = arguments[SelectionOptions.to]
        first = arguments[SelectionOptions.first]
        sessions = Set(arguments[SelectionOptions.session])
        assets = arguments[SelectionOptions.asset].map { Glob($0) }
        var conditions = assets.isEmpty ? [] : [Expression.any(assets.map { .fits(.name("media.video_id"), $0) })]
        let wanted = arguments[SelectionOptions.condition]
        asksEvents = wanted != nil
        if let wanted { conditions.append(wanted) }
        let condition = conditions.isEmpty ? nil : Expression.all(conditions)
        self.condition = condition
        sampleCondition = condition.flatMap { SampleCondition($0) }
        media = Self.media(condition)
    }

    /// Asks for an event for which an expression holds.
    init(_ condition: Expression) {
        runs = []
        sample = nil
        from = nil
        to = nil
        first = nil
        sessions = []
        assets = []
        asksEvents = true
        self.condition = condition
        sampleCondition = SampleCondition(condition)
        media = Self.media(condition)
    }

    private static func media(_ condition: Expression?) -> [String] {
        Set(condition?.names ?? []).filter { $0.hasPrefix("media.") }.map { String($0.dropFirst(6)) }
    }

    /// Whether anything is asked at all.
    var isEmpty: Bool { !needsContent && runs.isEmpty && sample == nil && first == nil }

    /// Whether a run's own lines have to be read to know.
    var needsContent: Bool { condition != nil || from != nil || to != nil || !sessions.isEmpty }

    /// Whether a run's id is among those that are wanted; the same id always gives the same answer.
    func has(id: String) -> Bool {
        if !runs.isEmpty, !runs.contains(where: { $0.matches(id) }) { return false }
        guard let sample else { return true }
        return sample.has(id)
    }

    /// Whether an asset is among those that are wanted.
    func has(asset: String) -> Bool { assets.isEmpty || assets.contains { $0.matches(asset) } }

    /// Whether a run that took this time has a part in the range.
    func has(begin: Int64, end: Int64) -> Bool { end >= from ?? .min && begin < to ?? .max }
}
