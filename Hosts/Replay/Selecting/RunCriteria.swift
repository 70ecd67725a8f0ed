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
    /// What one event of the run has to be like.
    let condition: Expression?
    /// Attributes whose last value in the session the condition asks for.
    let media: [String]
    /// Whether playhead samples that follow each other may differ to the condition.
    let tellsSamplesApart: Bool
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
        let assets = arguments[SelectionOptions.asset].map { Expression.fits(.name("media.video_id"), Glob($0)) }
        var conditions = assets.isEmpty ? [] : [Expression.any(assets)]
        if let wanted = arguments[SelectionOptions.condition] { conditions.append(wanted) }
        let condition = conditions.isEmpty ? nil : Expression.all(conditions)
        self.condition = condition
        let names = Set(condition?.names ?? [])
        media = names.filter { $0.hasPrefix("media.") }.map { String($0.dropFirst(6)) }
        tellsSamplesApart = names.contains { $0.hasPrefix("state.") || $0 == "t_us" || $0 == "n" }
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

    /// Whether a run that took this time has a part in the range.
    func has(begin: Int64, end: Int64) -> Bool { end >= from ?? .min && begin < to ?? .max }
}
