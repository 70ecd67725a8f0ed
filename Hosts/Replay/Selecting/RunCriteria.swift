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
    /// Numbers of sessions, one of which the run has to have; none takes all.
    let sessions: Set<Int>
    /// How many runs are taken at most.
    let first: Int?

    /// Reads a command line with ``SelectionOptions/all``.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        runs = arguments.values("run").map { Glob($0) }
        let share = try arguments.number("sample")
        if let share, share > 100 {
            throw .badValue(option: "--sample", value: arguments.value("sample") ?? "", expected: "a number up to 100")
        }
        sample = share.map { SampleShare(percent: $0) }
        from = try Self.time(arguments, "from")
        to = try Self.time(arguments, "to")
        first = try arguments.integer("first", in: 0...Int.max)
        var sessions: Set<Int> = []
        for text in arguments.values("session") {
            guard let number = Int(text), number > 0 else {
                throw .badValue(option: "--session", value: text, expected: "a session's number in its run, from 1")
            }
            sessions.insert(number)
        }
        self.sessions = sessions
        var condition: Expression?
        for pattern in arguments.values("asset") {
            let asset = Expression.comparison(.like, .name("media.video_id"), .literal(.string(pattern)))
            condition = condition.map { .or($0, asset) } ?? asset
        }
        if let text = arguments.value("where") {
            do throws(Expression.Problem) {
                let wanted = try ExpressionParser.parse(text)
                condition = condition.map { .and($0, wanted) } ?? wanted
            } catch {
                throw .badValue(
                    option: "--where",
                    value: text,
                    expected: "an expression: column \(error.column): \(error.message)"
                )
            }
        }
        self.condition = condition
    }

    /// Whether anything is asked at all.
    var isEmpty: Bool {
        !needsContent && runs.isEmpty && sample == nil && first == nil
    }

    /// Whether a run's own lines have to be read to know.
    var needsContent: Bool {
        condition != nil || from != nil || to != nil || !sessions.isEmpty
    }

    /// Whether a run's id is among those that are wanted; the same id always gives the same answer.
    func has(id: String) -> Bool {
        if !runs.isEmpty, !runs.contains(where: { $0.matches(id) }) { return false }
        guard let sample else { return true }
        return sample.has(id)
    }

    /// Whether a run that took this time has a part in the range.
    func has(begin: Int64, end: Int64) -> Bool {
        end >= from ?? .min && begin < to ?? .max
    }

    private static func time(_ arguments: CommandLineArguments, _ name: String) throws(UsageError) -> Int64? {
        guard let text = arguments.value(name) else { return nil }
        guard let time = WallClockText.microseconds(text) else {
            throw .badValue(option: "--" + name, value: text, expected: "a time such as 2026-05-01T12:00:00Z")
        }
        return time
    }
}
