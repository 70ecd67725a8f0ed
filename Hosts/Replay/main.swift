internal import HostSupport
internal import Tally

StandardStream.prepare()
let words = CommandLineSyntax.words
switch words.first {
case "plugin":
    PluginCommandLine.run(
        program: "tally-replay",
        version: TallyVersion.core,
        words: Array(words.dropFirst()),
        section: .replay,
        settings: ReplaySyntax.settings,
        admission: .ofHost("tally-replay") { StandardStream.note("tally-replay: warning: " + $0) }
    ).end()
case "spool": SpoolCommand.run(Array(words.dropFirst())).end()
case "ctl":
    ControlCommandLine.run(program: "tally-replay", version: TallyVersion.core, words: Array(words.dropFirst())).end()
case "diff":
    run { arguments, log throws(UsageError) in
        let operands = arguments.operands
        if operands.allSatisfy({ $0 == "-" }) {
            throw .badValue(option: "OUTPUT", value: "-", expected: "standard input only once")
        }
        return try ComparisonRequest(arguments).compare(operands[0], operands[1], log: log)
    }
case "report": run { arguments, _ throws(UsageError) in try ReportCommand.run(arguments) }
case "index": run(IndexCommand.run)
case "outline": run(OutlineCommand.run)
case "erase": run(EraseCommand.run)
case "metrics": run(MetricsCommand.run)
case let word? where ToolSyntax.all.contains { $0.command == word }:
    run { arguments, log throws(UsageError) in try ToolCommand(arguments: arguments, log: log).run() }
default: ReplayCommand().run().end()
}

/// Carries out the command that the program's arguments name, and ends the program.
func run(_ command: (CommandLineArguments, LogPrinter) throws(UsageError) -> ExitCode) -> Never {
    let arguments = ReplaySyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
    do throws(UsageError) {
        try command(arguments, LogPrinter(ofCommand: arguments)).end()
    } catch {
        StandardStream.note(error.message(for: arguments.program))
        error.exitCode.end()
    }
}
