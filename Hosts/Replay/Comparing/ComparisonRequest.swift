internal import HostSupport
internal import Tally

/// How two outputs are compared and where the result goes.
struct ComparisonRequest {
    private let rules: ComparisonRules
    private let room: Int
    private let limit: Int
    private let json: Bool
    /// The file for the result as JUnit's XML.
    let junit: String?

    /// Reads a command line that has ``ComparisonOptions/all`` and `--json`.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        rules = try ComparisonRules(arguments)
        room = arguments[ComparisonOptions.window] * 1_000_000
        limit = arguments[ComparisonOptions.limit]
        json = arguments[HostSettings.json]
        junit = arguments[ComparisonOptions.junit]
    }

    /// Compares two files; `rightName` is what reports call the second.
    ///
    /// - Returns: whether they are the same, as exit code.
    func compare(_ left: String, _ right: String, rightName: String? = nil, log: LogPrinter) -> ExitCode {
        do throws(HostError) {
            var junitFile: SummaryFile?
            if let junit {
                var files = ReadFiles()
                for path in [left, right] where path != "-" {
                    files.add(path, as: "one of the outputs that are compared")
                }
                files.addStandardInput(as: "one of the outputs that are compared")
                try files.check(junit)
                junitFile = try SummaryFile(junit)
            }
            let inputs: (InputFile, InputFile)
            var report = DifferenceReport(json: json, limit: limit)
            let counts: OutputComparison.Counts
            do throws(InputFile.Failure) {
                inputs = (try InputFile(left), try InputFile(right))
                let comparison = OutputComparison(inputs.0, inputs.1, rules: rules, room: room) { report.add($0) }
                try comparison.run()
                counts = comparison.counts
            } catch {
                log.show(.error, error.message)
                return error.exitCode
            }
            let names = (inputs.0.name, rightName ?? inputs.1.name)
            try report.end(counts, left: names.0, right: names.1)
            try junitFile?.write(report.cases.xml(counts, left: names.0, right: names.1))
            if counts.cutShort > 0 {
                log.show(
                    .warning,
                    "the two are ordered so differently that \(ReadableNumber.grouped(counts.cutShort)) groups of lines "
                        + "were not waited for: sort both by run, or give a larger --window"
                )
            }
            return counts.differences == 0 ? .success : .difference
        } catch {
            return log.report(error)
        }
    }
}

/// The command `tally-replay diff`.
struct DiffCommand {
    /// Does what the program's command line asks for.
    static func run() -> ExitCode {
        let arguments = ReplaySyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        let log = LogPrinter(program: arguments.program)
        do throws(UsageError) {
            if arguments.operands.allSatisfy({ $0 == "-" }) {
                throw .badValue(option: "OUTPUT", value: "-", expected: "standard input only once")
            }
            return try ComparisonRequest(arguments).compare(arguments.operands[0], arguments.operands[1], log: log)
        } catch {
            ComparisonOptions.diff.end(with: error)
        }
    }
}
