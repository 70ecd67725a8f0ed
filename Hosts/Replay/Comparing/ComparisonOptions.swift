internal import HostSupport

/// The options of `tally-replay diff`; those of rules and reports hold for `--baseline` too.
enum ComparisonOptions {
    static let section = "Compare"

    /// Which differences count, and how they are told.
    static let rules = [
        CommandLineOption(
            "ignore",
            value: "[KIND:]PATH",
            isRepeatable: true,
            section: section,
            help: "Leave out what stands at this path, such as attributes.timestamp; * stands for any text."
        ),
        CommandLineOption(
            "tolerance",
            value: "[KIND:]PATH=NUMBER",
            isRepeatable: true,
            section: section,
            help: "Take numbers at this path for the same that differ by so much, or by so many percent: NUMBER%."
        ),
        CommandLineOption(
            "rules",
            value: "FILE",
            isRepeatable: true,
            section: section,
            help: "Take rules from this file: {ignore: [\"PATH\"], tolerance: {\"PATH\": \"5%\"}}."
        ),
        CommandLineOption(
            "junit",
            value: "FILE",
            section: section,
            help: "Write the differences to this file as the result of a test run, in the form of JUnit."
        ),
        CommandLineOption(
            "limit",
            value: "COUNT",
            section: section,
            help: "Show so many differences; \(DifferenceReport.usualLimit) unless given. All are counted."
        ),
        CommandLineOption(
            "window",
            value: "MB",
            section: section,
            help: "Let so much of both wait for counterparts that come in another order; \(usualWindow) unless given."
        ),
    ]

    static let usualWindow = 16

    static let diff = CommandLineSyntax(
        program: "tally-replay diff",
        summary: "Compares two outputs of the reporter jsonlines: records and beacons, by run and time.",
        operands: CommandLineSyntax.Operands(
            "OUTPUT",
            minimum: 2,
            maximum: 2,
            help: "A and B: two files, one of which may be - for standard input."
        ),
        options: rules + [CommandLineOption("json", help: "Write each difference as one line of JSON.")],
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
