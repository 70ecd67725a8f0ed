internal import HostSupport
internal import Tally

/// How two outputs are compared and where the result goes.
struct ComparisonRequest {
    private let arguments: CommandLineArguments
    private let rules: ComparisonRules

    /// Reads a command line that has ``ComparisonOptions/all`` and `--json`.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        self.arguments = arguments
        rules = try ComparisonRules(arguments)
    }

    /// The file for the result as JUnit's XML.
    var junit: String? { arguments[ComparisonOptions.junit] }

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
            let room = arguments[ComparisonOptions.window] * 1_000_000
            var report = DifferenceReport(
                json: arguments[HostSettings.json],
                limit: arguments[ComparisonOptions.limit]
            )
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
                    "the two are ordered so differently that "
                        + ReadableNumber.counted(counts.cutShort, "group of lines was", "groups of lines were")
                        + " not waited for: sort both by run, or give a larger --window"
                )
            }
            return counts.differences == 0 ? .success : .difference
        } catch {
            return log.report(error)
        }
    }
}
