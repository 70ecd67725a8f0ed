internal import HostSupport

/// What the command line and the configuration may say.
enum ReplaySyntax {
    static let syntax = CommandLineSyntax(
        program: "tally-replay",
        summary: "Replays archived player runs through plugins: what a tracker saw live, it sees again. "
            + "Without plugins, checks the archives and sums them up.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 0,
            maximum: nil,
            help: "An archive, a folder (all files in it that end in .tally or .jsonl, by name), a pattern such as "
                + "'archives/**/2026-*.tally' with ** for any folders, or - for standard input. Archives may be "
                + "compressed, with gzip or zstd."
        ),
        commands: [ComparisonOptions.diff] + ToolSyntax.all + [
            ReportSyntax.syntax, MetricsSyntax.syntax, IndexCommand.syntax, OutlineCommand.syntax, EraseCommand.syntax,
            SpoolCommand.syntax,
            PluginCommandLine.syntax(program: "tally-replay"), ControlCommandLine.syntax(program: "tally-replay"),
        ],
        settings: settings + InputOptions.all + ShardOptions.all + WorkerOptions.all + BatchOptions.all
            + SelectionOptions.all + [baseline]
            + ComparisonOptions.all + HostSettings.options,
        commonKeys: HostSettings.keys,
        epilogue: """
            Data goes to standard output, through reporters. Notes, errors and the summary go to standard error.
            An interrupt (Ctrl-C) or SIGTERM ends the replay between two lines, a second interrupt at once.
            Exit codes: 0 all is well, 1 another output than the baseline's, 64 wrong command line, 65 damaged archive,
            66 no such archive, 73 an output cannot be created, 74 output was lost, 75 a plugin failed, 76 newer archive, 78 wrong configuration,
            130 a signal ended it early.

            Examples:
              tally-replay run.tally
              tally-replay archives/ --plugins new-relic-video,jsonlines --set plugins.jsonlines.config.path=out.jsonl
              tally-replay --list-plugins --json
            """
    )

    private static let section = "Replay"

    static let speed = Setting(
        "speed",
        .number("N", 0.25...1_000_000),
        key: "replay.speed",
        in: section,
        excludes: ["rate"],
        "Go N times as fast as the recorded run; as fast as possible unless given."
    )
    static let rate = Setting(
        "rate",
        .number("N", 0.001...10_000_000),
        key: "replay.rate",
        in: section,
        "Replay N events a second, whatever their times.",
        details: "Among the keys it goes before `speed`."
    )
    static let control = Setting(
        "control",
        .text("PATH"),
        in: section,
        "Take commands on this Unix socket, from the same user; tally-replay ctl gives them.",
        details: "See [control](control.md)."
    )
    static let paused = Setting(
        flag: "paused",
        in: section,
        needs: ["control"],
        "With --control, wait before the first event for play or step."
    )
    static let follow = Setting(
        flag: "follow",
        in: section,
        "Replay one archive while it is written, until its runs have ended."
    )
    static let idleLimit = Setting(
        "idle-limit",
        .integer("SECONDS", 1...86_400),
        in: section,
        needs: ["follow"],
        "With --follow, end when nothing comes for so long."
    ).unlessGiven(30)
    static let runIdleLimit = Setting(
        "run-idle-limit",
        .integer("SECONDS", 1...31_536_000),
        in: section,
        "With --follow, or from a pipe, close a run of which nothing comes for so long; none unless given.",
        details: "See [runs that are closed](#runs-that-are-closed)."
    )
    static let asRecorded = Setting(
        flag: "as-recorded",
        in: section,
        "Use the trackers of the recorded run, with their configuration, and change them as they were changed in it."
    )
    static let substitute = Setting(
        "substitute",
        substitution,
        in: section,
        needs: ["as-recorded"],
        "With --as-recorded, use this plugin for a recorded one, named by its instance or id."
    ).repeatable()
    static let leaveOpen = Setting(
        flag: "leave-open",
        in: section,
        "Leave a run open whose end is not in the archive, instead of ending it where it was last seen."
    )
    static let strict = Setting(
        flag: "strict",
        key: "replay.strict",
        in: section,
        "Stop at the first line or archive that cannot be used, instead of going on behind it."
    )
    static let maxDamaged = Setting(
        "max-damaged",
        .integer("COUNT", 0...(.max)),
        in: section,
        excludes: ["strict"],
        "Accept so many damaged places as success, and stop at the next one."
    )
    static let reorder = Setting(
        "reorder",
        .integer("LINES", 0...65_536),
        in: section,
        "Put lines right that come so many lines of their run too late; 0 takes lines as they come."
    ).unlessGiven(64)
    static let keepRepeated = Setting(
        flag: "keep-repeated",
        in: section,
        "Replay a run as often as its header comes. Without it, lines that came already, in any archive, are counted and "
            + "left out."
    )
    static let patience = Setting(
        "patience",
        .integer("SECONDS", 1...86_400),
        in: section,
        "Leave a reporter behind that does nothing for so long at the end.",
        details: "One that still sends, such as `http` within its `drain_ms`, is waited for."
    ).unlessGiven(30)
    static let summary = Setting("summary", .text("FILE"), in: section, "Write the summary as JSON to this file too.")
    static let baseline = Setting(
        "baseline",
        .text("FILE"),
        in: ComparisonOptions.section,
        "Compare what the plugins make of the archives with this earlier output of the reporter jsonlines."
    )

    /// The settings of a replay itself.
    static let settings: [any DeclaredSetting] = [
        speed, rate, control, paused, follow, idleLimit, runIdleLimit, asRecorded, substitute, leaveOpen, strict,
        maxDamaged, reorder, keepRepeated, patience, summary,
    ]

    /// A recorded plugin and the one to use for it.
    static let substitution = ValueForm<(recorded: String, plugin: String)>("RECORDED=PLUGIN") {
        text throws(UnfitValue) in
        let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
            throw UnfitValue(expected: "RECORDED=PLUGIN, such as mine=org.example.tracker")
        }
        return (words[0], words[1])
    }
}
