internal import HostSupport
internal import Tally
internal import TextEncoding

/// The command `tally-replay outline`: tells which runs have lines in each archive, and where, for a manifest.
enum OutlineCommand {
    /// Its command line.
    static let syntax = CommandLineSyntax(
        program: "tally-replay outline",
        summary: "Tells which runs have lines in each archive and where those lie, as JSON, one archive a line.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 0,
            maximum: nil,
            help: "Archives, folders or patterns, as for tally-replay. It goes by the beginnings of their lines."
        ),
        settings: InputOptions.all + [HostSettings.quiet],
        epilogue: """
            Exit codes: 0 all is well, 64 wrong command line, 66 no such archive, 74 standard output cannot be written.
            What is wrong with an archive is told by a replay.
            """
    )

    /// Looks at the archives that the command line names.
    static func run(_ arguments: CommandLineArguments, _ log: LogPrinter) throws(UsageError) -> ExitCode {
        try InputOptions.check(arguments)
        guard let archives = ArchiveOperand.expand(arguments, log) else { return .noInput }
        for archive in archives {
            guard let outline = ArchiveOutline(archive) else {
                log.show(.error, "\(archive.name): only a file that can be read has an outline")
                return .noInput
            }
            do throws(HostError) {
                let line = PrintableText.json(outline.json) + "\n"
                try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(line) }
            } catch {
                return log.report(error)
            }
        }
        return .success
    }
}
