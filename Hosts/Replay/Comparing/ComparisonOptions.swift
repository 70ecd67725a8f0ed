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
        settings: all + [json, HostSettings.quiet],
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

extension ComparisonRules {
    /// The rules of a command line with ``ComparisonOptions/all``, and of the files that it names.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        var files = RulesFile.none
        for path in arguments[ComparisonOptions.rules] { files.add(try RulesFile(path)) }
        self.init(
            ignored: try Self.values(files.ignored, Self.place, "--ignore") + arguments[ComparisonOptions.ignore],
            tolerances: try Self.values(files.tolerances, Self.tolerance, "--tolerance")
                + arguments[ComparisonOptions.tolerance]
        )
    }

    /// What texts of a file say that are read as an option's values.
    private static func values<Value>(
        _ texts: [String],
        _ form: ValueForm<Value>,
        _ option: String
    ) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for text in texts {
            do throws(UnfitValue) {
                values.append(try form.read(text))
            } catch {
                throw .badValue(option: option, value: text, expected: error.expected)
            }
        }
        return values
    }

    /// The value of `--ignore`.
    static let place = ValueForm<Place>("[KIND:]PATH") { text throws(UnfitValue) in
        guard let place = Place(text[...]) else {
            throw UnfitValue(expected: "[KIND:]PATH, such as attributes.timestamp")
        }
        return place
    }

    /// The value of `--tolerance`.
    static let tolerance = ValueForm<Tolerance>("[KIND:]PATH=NUMBER") { text throws(UnfitValue) in
        guard let tolerance = Tolerance(text) else {
            throw UnfitValue(expected: "[KIND:]PATH=NUMBER or PATH=NUMBER%, such as attributes.bitrate=5%")
        }
        return tolerance
    }
}
