internal import HostSupport

/// The options that say which player runs of the archives are wanted.
enum SelectionOptions {
    private static let section = "Choose runs"

    static let all = [
        CommandLineOption(
            "run",
            value: "ID",
            isRepeatable: true,
            section: section,
            help: "Take the run with this id; * stands for any text."
        ),
        CommandLineOption(
            "session",
            value: "NUMBER",
            isRepeatable: true,
            section: section,
            help: "Take runs that have a session with this number, from 1."
        ),
        CommandLineOption(
            "asset",
            value: "ID",
            isRepeatable: true,
            section: section,
            help: "Take runs that play the asset with this video_id; * stands for any text."
        ),
        CommandLineOption(
            "from",
            value: "TIME",
            section: section,
            help: "Take runs that go on at this time or later, such as 2026-05-01T12:00:00Z."
        ),
        CommandLineOption("to", value: "TIME", section: section, help: "Take runs that began before this time."),
        CommandLineOption(
            "where",
            value: "EXPRESSION",
            section: section,
            help: "Take runs that have an event for which this holds, such as 'event == \"player_error\"'."
        ),
        CommandLineOption("first", value: "COUNT", section: section, help: "Take the first so many of these runs."),
        CommandLineOption(
            "sample",
            value: "PERCENT",
            section: section,
            help: "Take this share of the runs, by their ids: the same ones each time."
        ),
    ]
}
