internal import HostSupport

/// The command lines of the archive tools.
enum ToolSyntax {
    private static let section = "Output"
    static let json = Setting(flag: "json", in: section, "Write JSON, one object a line.")
    static let strict = Setting(
        flag: "strict",
        in: section,
        "Look at what the events mean as well: tell what a player should not say, each with its line, what it means for "
            + "trackers and what to do; 1 is the exit code then."
    )
    static let output = Setting(
        "output",
        short: "o",
        .text("FILE"),
        in: section,
        "Write to this file instead of standard output; .gz or .zst at its end says how it is compressed.",
        details: "It must not be one of the archives that are read."
    )
    static let compress = Setting(
        "compress",
        .word("HOW", of: ArchiveOutput.Compression.allCases),
        in: section,
        "Compress in this way, whatever the file's name says.",
        details: "It is `none`, `gzip` or `zstd`."
    )
    static let name = Setting(
        "output",
        short: "o",
        .text("NAME"),
        in: section,
        "Name the archives so: NAME-00001.tally and so on; with .gz or .zst at its end they are compressed, as in "
            + "part.tally.zst."
    )
    static let runs = Setting("runs", .integer("COUNT", 1...(.max)), in: section, "Put so many runs into an archive.")
    static let size = Setting(
        "size",
        .integer("MB", 1...1_000_000_000),
        in: section,
        "Begin another archive behind so much plain text."
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
        tool("split", "Deals the runs out to several archives, each run whole.", [name, runs, size]),
        tool("validate", "Checks every line: form, order, gaps and ends; one archive a line.", [json, strict]),
    ]

    private static func tool(_ name: String, _ summary: String, _ settings: [any DeclaredSetting]) -> CommandLineSyntax
    {
        CommandLineSyntax(
            program: "tally-replay \(name)",
            summary: summary,
            operands: CommandLineSyntax.Operands(
                "ARCHIVE",
                minimum: 0,
                maximum: nil,
                help: "Archives, folders, patterns or - for standard input, as for tally-replay."
            ),
            settings: InputOptions.all + SelectionOptions.all + settings + [HostSettings.quiet],
            epilogue: """
                Exit codes: 0 all is well, 1 validate --strict found something, 64 wrong command line, 65 damaged archive, 66 no such archive, 73 an output
                cannot be created, 74 an output cannot be written, 76 newer archive.
                """
        )
    }
}
