internal import HostSupport
internal import Tally

// One command after the other: what a command does stands in a file of its name.
StandardStream.prepare()
let words = CommandLineSyntax.words
if words.first == SecondProcess.word { SecondProcess.say(Array(words.dropFirst())) }
Sanitizer.beginAnew(with: words)
switch words.first {
case "new": run(NewCommand.run)
case "check": run(CheckCommand.run)
case "inspect": run(InspectCommand.run)
case "run": run(RunCommand.run)
case "bench": run(BenchCommand.run)
default:
    let syntax = PluginToolSyntax.syntax
    _ = syntax.argumentsOrEnd(version: TallyVersion.core)
    syntax.end(with: .missingArgument("COMMAND (\(syntax.commands.map(\.command).joined(separator: ", ")))"))
}

/// Carries out a command with the program's arguments, and ends the program.
func run(_ command: (CommandLineArguments) throws(UsageError) -> ExitCode) -> Never {
    let arguments = PluginToolSyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
    do throws(UsageError) {
        try command(arguments).end()
    } catch {
        StandardStream.note(error.message(for: arguments.program))
        error.exitCode.end()
    }
}
