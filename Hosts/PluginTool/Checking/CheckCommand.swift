internal import HostSupport
internal import System

/// `tally-plugin check`: holds a plugin against the rules of the headers.
enum CheckCommand {
    static let list = Setting(flag: "list", "List the checks and exit.")
    static let only = Setting(
        "only",
        .text("CHECK"),
        excludes: ["without"],
        "Make this check alone, with those that it needs."
    ).repeatable()
    static let without = Setting("without", .text("CHECK"), "Leave this check out.").repeatable()
    static let junit = Setting("junit", .text("FILE"), "Write the results to this file too, as JUnit's XML.")
    static let quiet = Setting(flag: "quiet", short: "q", "Say nothing of checks that passed.")

    static let syntax = CommandLineSyntax(
        program: "tally-plugin check",
        summary:
            "Holds a plugin against the rules of the headers: each check runs in a process of its own, with a limit.",
        operands: CommandLineSyntax.Operands("FILE", minimum: 0, maximum: 1, help: "The plugin's file."),
        settings: [PluginOptions.config, list, only, without, junit, quiet, PluginOptions.json],
        epilogue: """
            A check that passed says nothing more; the others say what was found and what to do. A check is skipped when
            one that it needs has failed.
            Exit codes: 0 nothing is to be mended, 1 a check failed, crashed or hung, 64 wrong command line, 66 no such file, 73 an
            output cannot be created, 74 an output cannot be written, 78 wrong configuration.

            Examples:
              tally-plugin check pauses.tallyplugin.so
              tally-plugin check mine.tallyplugin.so --config '{"key":"value"}' --junit results.xml
              tally-plugin check mine.tallyplugin.so --only memory-lent
            """
    )

    /// Does what was asked.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        if arguments[list] { syntax.end(showing: AllChecks.text) }
        for name in arguments[only] + arguments[without] where AllChecks.named(name) == nil {
            throw .badValue(option: "--only", value: name, expected: "a check that --list lists")
        }
        let path = try PluginOptions.file(arguments)
        do throws(HostError) {
            let configuration = try PluginOptions.configuration(arguments)
            try PluginProcess.hold(configuration, against: path)
            let junitFile = try arguments[junit].map { path throws(HostError) in try SummaryFile(path) }
            var run = CheckRun(
                path: path,
                configuration: configuration,
                only: arguments[only],
                without: arguments[without]
            )
            let showsLines = !arguments[PluginOptions.json]
            let hidesPassed = arguments[quiet]
            let start = SystemTime.monotonic()
            let folder = PluginProcess.folder()
            let results = run.run { result in
                // What another check's fault kept from being tried is told by that fault.
                let isNews = result.verdict != .passed && !(result.verdict == .skipped && result.isForAnother)
                guard showsLines, !hidesPassed || isNews else { return }
                try? StandardStream.output.write(PluginOptions.printable(CheckReport.line(result)) + "\n")
            }
            folder?.remove()
            let report = CheckReport(
                path: arguments.operands[0],
                results: results,
                milliseconds: (SystemTime.monotonic() - start) / 1_000
            )
            try HostError.writing { () throws(StandardStream.Failure) in
                let text = showsLines ? PluginOptions.printable(report.summary) + "\n" : report.json
                try StandardStream.output.write(text)
            }
            try junitFile?.write(report.junit)
            return report.exitCode
        } catch {
            return PluginOptions.report(error, of: arguments)
        }
    }
}
