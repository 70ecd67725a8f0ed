internal import HostSupport

/// The options that say which player runs of the archives are wanted.
enum SelectionOptions {
    private static let section = "Choose runs"

    static let run = Setting(
        "run",
        .text("ID"),
        in: section,
        "Take the run with this id; * stands for any text."
    ).repeatable()
    static let session = Setting(
        "session",
        .integer("NUMBER", 1...(.max)),
        in: section,
        "Take runs that have a session with this number in their run."
    ).repeatable()
    static let asset = Setting(
        "asset",
        .text("ID"),
        in: section,
        "Take runs that play the asset with this video_id; * stands for any text."
    ).repeatable()
    static let from = Setting(
        "from",
        time,
        in: section,
        "Take runs that go on at this time or later, such as 2026-05-01T12:00:00Z."
    )
    static let to = Setting("to", time, in: section, "Take runs that began before this time.")
    static let condition = Setting(
        "where",
        expression,
        in: section,
        "Take runs that have an event for which this holds, such as 'event == \"player_error\"'.",
        details: "See [the expression](#the-expression-of---where)."
    )
    static let first = Setting(
        "first",
        .integer("COUNT", 0...(.max)),
        in: section,
        "Take the first so many of these runs."
    )
    static let sample = Setting(
        "sample",
        .number("PERCENT", 0...100),
        in: section,
        "Take this share of the runs, by their ids: the same ones each time."
    )

    static let all: [any DeclaredSetting] = [run, session, asset, from, to, condition, first, sample]

    private static let time = ValueForm<Int64>("TIME") { text throws(UnfitValue) in
        guard let time = WallClockText.microseconds(text) else {
            throw UnfitValue(expected: "a time such as 2026-05-01T12:00:00Z")
        }
        return time
    }

    private static let expression = ValueForm<Expression>("EXPRESSION") { text throws(UnfitValue) in
        do throws(Expression.Problem) {
            return try ExpressionParser.parse(text)
        } catch {
            throw UnfitValue(expected: "an expression: column \(error.column): \(error.message)")
        }
    }
}
