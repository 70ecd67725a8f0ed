internal import HostSupport

/// The command line of `tally-replay report`.
enum ReportSyntax {
    private static let section = "Report"

    static let output = Setting(
        "output",
        short: "o",
        .text("FILE"),
        in: section,
        "Write the report to this file, in the place of what is there. Needed unless --json or --csv is given."
    )
    static let json = Setting(
        flag: "json",
        in: section,
        excludes: ["csv"],
        "Instead of pages, write one JSON object: all metrics of all groups, and the list of sessions. To standard output "
            + "unless --output names a file."
    )
    static let csv = Setting(
        flag: "csv",
        in: section,
        "Instead of pages, write the list of sessions as comma-separated values, a row for each and the names of the "
            + "columns first. To standard output unless --output names a file."
    )
    static let compare = Setting(
        "compare",
        .text("ARCHIVE"),
        in: section,
        "Put these archives beside the others, as what was before: a file, a folder or a pattern."
    ).repeatable()
    static let by = Setting(
        "by",
        .text("ATTRIBUTE"),
        in: section,
        "Group by this attribute of the video too, such as one of the application's own."
    ).repeatable()
    static let pages = Setting(
        "session-pages",
        .integer("COUNT", 0...5_000),
        in: section,
        "Make full pages of so many sessions: two of five the worst, the others the newest and a fair sample."
    ).unlessGiven(200)
    static let personal = Setting(
        flag: "personal",
        in: section,
        "Show attributes that are marked personal; without it they are left out, and their values are hidden elsewhere."
    )
    static let playerOnly = Setting(
        flag: "player-only",
        in: section,
        excludes: ["plugins"],
        "Run no trackers: show only what the player said."
    )

    static let substitute = Setting(
        "substitute",
        ReplaySyntax.substitution,
        in: section,
        excludes: ["plugins", "player-only"],
        "Run this plugin in the place of a tracker of the recorded runs, named by its instance or id."
    ).repeatable()

    static let syntax = CommandLineSyntax(
        program: "tally-replay report",
        summary: "Replays archives and makes one HTML file of them: metrics, assets, quality, the course of sessions.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 0,
            maximum: nil,
            help: "Archives, folders, patterns or - for standard input, as for tally-replay."
        ),
        settings: [output, json, csv, compare, by, pages, personal, playerOnly, substitute] + InputOptions.all
            + SelectionOptions.all + [BatchOptions.jobs, ReplaySyntax.leaveOpen]
            + [
                HostSettings.plugins, HostSettings.pluginFolders, HostSettings.config, HostSettings.set,
                HostSettings.quiet, HostSettings.verbose,
            ],
        epilogue: """
            The trackers are those of --plugins or of the configuration, or else those of the recorded runs. Reporters
            that are named are left out: nothing is sent.
            Exit codes: 0 all is well, 64 wrong command line, 65 damaged archive, 66 no such archive, 73 the report
            cannot be created, 74 it cannot be written, 75 a plugin failed, 76 newer archive, 78 wrong configuration,
            130 a signal ended it early, and nothing was written.

            Examples:
              tally-replay report archives/ -o report.html
              tally-replay report archives/ --run 7d1c -o session.html
              tally-replay report --compare before/ after/ -o upgrade.html
            """
    )
}
