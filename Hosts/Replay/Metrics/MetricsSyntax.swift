internal import HostSupport
internal import Metrics

/// The command line of `tally-replay metrics`.
enum MetricsSyntax {
    private static let section = "Metrics"

    static let by = Setting(
        "by",
        .text("ATTRIBUTE"),
        in: section,
        "Group by this attribute of the video too, such as one of the application's own."
    ).repeatable()
    static let sessions = Setting(
        flag: "sessions",
        in: section,
        "Tell each session and not all together: one JSON object a line, or with --csv a row.",
        details: "They come in the order in which they end; with `--jobs` in any."
    )
    static let json = Setting(flag: "json", in: section, excludes: ["csv"], "Write JSON: all figures of all groups.")
    static let csv = Setting(
        flag: "csv",
        in: section,
        "Write a row of figures for all sessions and for each group, with commas between them."
    )
    static let groups = Setting(
        "groups",
        .integer("COUNT", 0...1_000_000),
        in: section,
        "Tell so many groups of each attribute, those with the most sessions. All are counted."
    ).unlessGiven(MetricSet.groupsTold)
    static let shardOut = Setting(
        "shard-out",
        .text("FILE"),
        in: section,
        "Write what was counted to this file, which --merge takes."
    )
    static let merge = Setting(
        "merge",
        .text("FILE"),
        in: section,
        "Add what another call wrote with --shard-out. The sum is, to the byte, what one call over all archives counts."
    ).repeatable()

    static let syntax = CommandLineSyntax(
        program: "tally-replay metrics",
        summary: "Measures the sessions of archives: startup, playing, rebuffering, quality, coverage, ads, errors.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 0,
            maximum: nil,
            help:
                "Archives, folders, patterns or - for standard input, as for tally-replay; none is needed with --merge."
        ),
        settings: InputOptions.all + ShardOptions.all + SelectionOptions.all
            + [
                by, sessions, json, csv, groups, shardOut, merge, BatchOptions.jobs, ReplaySyntax.leaveOpen,
                ReplaySyntax.reorder,
            ]
            + [HostSettings.quiet],
        epilogue: """
            Exit codes: 0 all is well, 64 wrong command line, 65 damaged archive, or a file of --merge that is none,
            66 no such archive or file, 73 an output cannot be created, 74 an output cannot be written, 76 newer
            archive or file of --merge.

            Examples:
              tally-replay metrics archives/
              tally-replay metrics archives/ --by app_region --json
              tally-replay metrics monday/ --shard-out monday.metrics
              tally-replay metrics --merge monday.metrics --merge tuesday.metrics --csv
            """,
        tables: [
            ReferenceTable(
                "metrics of a session",
                columns: ["Metric", "Unit", "Of", "Meaning", "Whose meaning"],
                rows: Metric.all.map { metric in
                    let buckets = metric.isDistribution ? " *" : ""
                    return [
                        "`\(metric.name)`\(buckets)", metric.unit.name, metric.population.rawValue, metric.meaning,
                        metric.source,
                    ]
                }
            ),
            ReferenceTable(
                "headline figures",
                columns: ["Figure", "Meaning"],
                rows: Headline.all.map { ["`\($0.name)`", $0.meaning] }
            ),
        ]
    )
}
