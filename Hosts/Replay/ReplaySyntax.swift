internal import HostSupport
internal import TextEncoding

/// What the command line and the configuration may say.
enum ReplaySyntax {
    /// How much faster or slower than the recorded run a replay may go.
    static let speeds = 0.25...1_000_000.0
    /// How many events may pass in a second.
    static let rates = 0.001...10_000_000.0
    /// How long an archive that is followed may be silent unless it is said, s.
    static let idleLimit = 30
    /// How many seconds a reporter may take nothing at the end.
    static let patience = 30

    /// How many lines of a run may come before one that they follow.
    static let reorderWindow = 64

    /// A range as messages and help have it.
    static func text(_ range: ClosedRange<Double>) -> String {
        let bounds = [range.lowerBound, range.upperBound].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        return "from \(bounds[0]) to \(bounds[1])"
    }

    static let syntax = CommandLineSyntax(
        program: "tally-replay",
        summary: "Replays archived player runs through plugins: what a tracker saw live, it sees again. "
            + "Without plugins, checks the archives and sums them up.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 0,
            maximum: nil,
            help: "An archive, a folder (all files in it that end in .tally or .jsonl, by name), a pattern such as "
                + "'archives/2026-*.tally', or - for standard input. Archives may be compressed, with gzip or zstd."
        ),
        commands: [ComparisonOptions.diff] + ToolSyntax.all + [EraseCommand.syntax] + [
            PluginCommandLine.syntax(program: "tally-replay"), ControlCommandLine.syntax(program: "tally-replay"),
        ],
        options: own + BatchOptions.all + SelectionOptions.all + [baseline] + ComparisonOptions.rules
            + PluginOptions.all,
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

    private static let own = [
        CommandLineOption(
            "speed",
            value: "N",
            section: "Replay",
            help: "Go N times as fast as the recorded run (0.25 to 1000000); as fast as possible unless given."
        ),
        CommandLineOption(
            "rate",
            value: "N",
            section: "Replay",
            help: "Replay N events a second (0.001 to 10000000), whatever their times."
        ),
        CommandLineOption(
            "control",
            value: "PATH",
            section: "Replay",
            help: "Take commands on this Unix socket, from the same user; tally-replay ctl gives them."
        ),
        CommandLineOption(
            "paused",
            section: "Replay",
            help: "With --control, wait before the first event for play or step."
        ),
        CommandLineOption(
            "follow",
            section: "Replay",
            help: "Replay one archive while it is written, until its runs have ended."
        ),
        CommandLineOption(
            "idle-limit",
            value: "SECONDS",
            section: "Replay",
            help: "With --follow, end when nothing comes for so long; \(idleLimit) unless given."
        ),
        CommandLineOption(
            "as-recorded",
            section: "Replay",
            help: "Use the trackers of the recorded run, and change them as they were changed in it."
        ),
        CommandLineOption(
            "substitute",
            value: "RECORDED=PLUGIN",
            isRepeatable: true,
            section: "Replay",
            help: "With --as-recorded, use this plugin for a recorded one, named by its instance or id."
        ),
        CommandLineOption(
            "leave-open",
            section: "Replay",
            help: "Leave a run open whose end is not in the archive, instead of ending it where it was last seen."
        ),
        CommandLineOption(
            "strict",
            section: "Replay",
            help: "Stop at the first line or archive that cannot be used, instead of going on behind it."
        ),
        CommandLineOption(
            "reorder",
            value: "LINES",
            section: "Replay",
            help:
                "Put lines right that come so many lines of their run too late; \(reorderWindow) unless given, 0 takes "
                + "lines as they come."
        ),
        CommandLineOption(
            "patience",
            value: "SECONDS",
            section: "Replay",
            help: "Leave a reporter behind that does nothing for so long at the end; \(patience) unless given."
        ),
        CommandLineOption(
            "summary",
            value: "FILE",
            section: "Replay",
            help: "Write the summary as JSON to this file too."
        ),
    ]

    private static let baseline = CommandLineOption(
        "baseline",
        value: "FILE",
        section: ComparisonOptions.section,
        help: "Compare what the plugins make of the archives with this earlier output of the reporter jsonlines."
    )

    /// The form of the key `replay` of the configuration.
    static let settings: JSONObject = [
        "type": "object", "additionalProperties": false,
        "properties": [
            "speed": [
                "type": "number", "minimum": .double(speeds.lowerBound), "maximum": .double(speeds.upperBound),
            ],
            "rate": ["type": "number", "minimum": .double(rates.lowerBound), "maximum": .double(rates.upperBound)],
            "strict": ["type": "boolean"],
        ],
    ]
}
