internal import HostSupport

/// The command lines of the archive tools.
enum ToolSyntax {
    private static let section = "Output"
    private static let json = CommandLineOption("json", section: section, help: "Write JSON, one object a line.")
    private static let output = CommandLineOption(
        "output",
        short: "o",
        value: "FILE",
        section: section,
        help: "Write to this file instead of standard output; .gz or .zst at its end says how it is compressed."
    )
    private static let compress = CommandLineOption(
        "compress",
        value: "HOW",
        section: section,
        help: "Compress in this way, whatever the file's name says.",
        choices: ArchiveOutput.Compression.allCases.map(\.rawValue)
    )

    static let all = [
        tool("ls", "Lists the player runs of archives, one a line.", [json]),
        tool("show", "Shows what happened in player runs, one event a line.", []),
        tool("stats", "Counts what archives hold, with the number of events of each type.", [json]),
        tool("cat", "Writes the lines of the chosen runs as they are.", [output, compress]),
        tool(
            "merge",
            "Puts the runs of several archives into one; a run that came already is left out.",
            [output, compress]
        ),
        tool("convert", "Writes an archive with another compression.", [output, compress]),
        tool(
            "split",
            "Deals the runs out to several archives, each run whole.",
            [
                CommandLineOption(
                    "output",
                    short: "o",
                    value: "NAME",
                    section: section,
                    help: "Name the archives so: NAME-00001.tally and so on; with .gz or .zst at its end they are "
                        + "compressed, as in part.tally.zst."
                ),
                CommandLineOption("runs", value: "COUNT", section: section, help: "Put so many runs into an archive."),
                CommandLineOption(
                    "size",
                    value: "MB",
                    section: section,
                    help: "Begin another archive behind so much plain text."
                ),
            ]
        ),
        tool("validate", "Checks every line: form, order, gaps and ends; one archive a line.", [json]),
    ]

    private static func tool(_ name: String, _ summary: String, _ options: [CommandLineOption]) -> CommandLineSyntax {
        CommandLineSyntax(
            program: "tally-replay \(name)",
            summary: summary,
            operands: CommandLineSyntax.Operands(
                "ARCHIVE",
                minimum: 1,
                maximum: nil,
                help: "Archives, folders, patterns or - for standard input, as for tally-replay."
            ),
            options: SelectionOptions.all + options,
            epilogue: """
                Exit codes: 0 all is well, 64 wrong command line, 65 damaged archive, 66 no such archive, 73 an output
                cannot be created, 74 an output cannot be written.
                """
        )
    }
}
