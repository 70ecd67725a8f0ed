internal import HostSupport

/// The options of `tally-replay diff`; those of rules and reports hold for `--baseline` too.
enum ComparisonOptions {
    static let section = "Compare"

    static let ignore = Setting(
        "ignore",
        ComparisonRules.place,
        in: section,
        needs: ["baseline"],
        "Leave out what stands at this path, such as attributes.timestamp, and all below it; * stands for any text."
    ).repeatable()
    static let tolerance = Setting(
        "tolerance",
        ComparisonRules.tolerance,
        in: section,
        needs: ["baseline"],
        "Take numbers at this path for the same that differ by so much, or by so many percent: NUMBER%."
    ).repeatable()
    static let rules = Setting(
        "rules",
        .text("FILE"),
        in: section,
        needs: ["baseline"],
        "Take rules from this file: {ignore: [\"PATH\"], tolerance: {\"PATH\": \"5%\"}}.",
        details: "It is JSON5, and its rules hold together with the others."
    ).repeatable()
    static let junit = Setting(
        "junit",
        .text("FILE"),
        in: section,
        needs: ["baseline"],
        "Write the differences to this file as the result of a test run, in the form of JUnit.",
        details: "There is a failed case for each kind of line."
    )
    static let limit = Setting(
        "limit",
        .integer("COUNT", 0...(.max)),
        in: section,
        needs: ["baseline"],
        "Show so many differences, for people; all are counted."
    ).unlessGiven(100)
    static let window = Setting(
        "window",
        .integer("MB", 1...65_536),
        in: section,
        needs: ["baseline"],
        "Let so much of both outputs wait for counterparts that come in another order."
    ).unlessGiven(16)
    private static let json = Setting(flag: "json", "Write each difference as one line of JSON.")

    /// Which differences count, and how they are told.
    static let all: [any DeclaredSetting] = [ignore, tolerance, rules, junit, limit, window]

    static let diff = CommandLineSyntax(
        program: "tally-replay diff",
        summary: "Compares two outputs of the reporter jsonlines: records and beacons, by run and time.",
        operands: CommandLineSyntax.Operands(
            "OUTPUT",
            minimum: 2,
            maximum: 2,
            help: "A and B: two files, one of which may be - for standard input."
        ),
        settings: all + [json],
        epilogue: """
            Exit codes: 0 no difference, 1 a difference, 64 wrong command line, 65 a file is no such output,
            66 no such file, 73 the file of --junit cannot be created, 74 it cannot be written.

            Examples:
              tally-replay diff before.jsonl after.jsonl
              tally-replay diff before.jsonl after.jsonl --ignore attributes.instrumentation.version --junit diff.xml
              tally-replay diff before.jsonl after.jsonl --tolerance 'attributes.*Bitrate=1%' --json
            """
    )
}
