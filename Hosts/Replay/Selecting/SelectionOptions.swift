internal import Glibc
internal import HostSupport
internal import TextEncoding

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

    /// An expression that can be asked of events.
    static let expression = ValueForm<Expression>("EXPRESSION") { text throws(UnfitValue) in
        let condition: Expression
        do throws(Expression.Problem) {
            condition = try Expression(parsing: text)
        } catch {
            throw UnfitValue(expected: "an expression: column \(error.column): \(error.message)")
        }
        if let problem = ConditionNames.problem(with: condition) {
            throw UnfitValue(expected: "an expression: \(problem)")
        }
        return condition
    }
}

/// Wall clock times as people write them.
enum WallClockText {
    /// Microseconds since 1970 of `2026-05-01`, `2026-05-01T12:00:00` or with `Z` behind it, always UTC, or of seconds
    /// since 1970; nil for anything else.
    static func microseconds(_ text: String) -> Int64? {
        if let seconds = Double(text), abs(seconds) < 1e12 { return Int64(seconds * 1_000_000) }
        let words = (text.hasSuffix("Z") ? text.dropLast() : text[...]).split(
            separator: "T",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let date = words.first.flatMap({ numbers($0, "-") }), date.count == 3, (1...12).contains(date[1]),
            (1...31).contains(date[2])
        else { return nil }
        var clock: [Int32] = [0, 0, 0]
        if words.count == 2 {
            guard let read = numbers(words[1], ":"), (2...3).contains(read.count) else { return nil }
            clock = read + (read.count == 2 ? [0] : [])
        }
        guard clock[0] < 24, clock[1] < 60, clock[2] < 61 else { return nil }
        var time = unsafe tm()
        unsafe time.tm_year = date[0] - 1900
        unsafe time.tm_mon = date[1] - 1
        unsafe time.tm_mday = date[2]
        unsafe time.tm_hour = clock[0]
        unsafe time.tm_min = clock[1]
        unsafe time.tm_sec = clock[2]
        let seconds = unsafe timegm(&time)
        // A day that the month does not have has become one of the next.
        guard unsafe time.tm_mday == date[2] || clock[2] == 60 else { return nil }
        return Int64(seconds) * 1_000_000
    }

    /// Whole numbers of digits alone, nil when one is anything else.
    private static func numbers(_ text: Substring, _ separator: Character) -> [Int32]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } && part.count <= 4 ? Int32(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
