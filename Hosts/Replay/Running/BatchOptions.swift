internal import HostSupport

/// The options that say with how many threads archives are replayed, and how a replay goes on after a kill.
enum BatchOptions {
    private static let section = "Many archives"

    static let jobs = Setting(
        "jobs",
        .integer("COUNT", 1...64),
        in: section,
        "Replay so many runs at once. The output is the same for any number.",
        details: "Each run is replayed whole by one of the coordinators. See [many archives](#many-archives)."
    ).unlessGiven(1)
    static let unordered = Setting(
        flag: "unordered",
        in: section,
        "With --jobs, hand outputs to the reporters as they come, and not in the order of the archives.",
        details: "Those of a run stay in their order, and runs are mixed."
    )
    static let cutSessions = Setting(
        flag: "cut-sessions",
        in: section,
        "Replay each chosen session by itself, as a run of its own. Ids and counters may differ from the whole run's.",
        details: "The id is `RUN#NUMBER`."
    )
    static let openRuns = Setting(
        "open-runs",
        .integer("COUNT", 1...1_000_000),
        in: section,
        "Replay so many runs of an archive side by side at most. Further ones wait in a temporary file; the output is the "
            + "same for any number. With --follow, or from a pipe with one job, the one heard of least recently is closed "
            + "instead.",
        details: "See [many open runs](#many-open-runs)."
    ).unlessGiven(512)
    static let ioThreads = Setting(
        "io-threads",
        .integer("COUNT", 0...2),
        in: section,
        "Threads for reading and writing: 2 reads ahead and lets each reporter write on a thread of its own, 1 does not "
            + "read ahead, 0 does all the work on one thread."
    ).unlessGiven(2)
    static let progress = Setting(
        "progress",
        .number("SECONDS", 0...(.infinity)),
        in: section,
        "Tell the progress so often where there is no terminal to show a bar on."
    ).unlessGiven(10)
    static let checkpoint = Setting(
        "checkpoint",
        .text("FILE"),
        in: section,
        excludes: ["follow", "baseline"],
        "Note in this file how far the output is safe. When the replay is killed, the same command goes on there; at its "
            + "end the file is removed."
    )
    static let checkpointEvery = Setting(
        "checkpoint-every",
        .number("SECONDS", 0.001...(.infinity)),
        in: section,
        needs: ["checkpoint"],
        "Note it so often."
    ).unlessGiven(5)

    static let all: [any DeclaredSetting] = [
        jobs, unordered, cutSessions, openRuns, ioThreads, progress, checkpoint, checkpointEvery,
    ]

    /// Makes sure that a command line with these options asks for nothing that excludes something else of it.
    static func check(_ arguments: CommandLineArguments) throws(UsageError) {
        let jobs = arguments[jobs]
        let ioThreads = arguments[ioThreads]
        if jobs > 1 {
            if ioThreads == 0 { throw .badValue(option: "--jobs", value: "\(jobs)", expected: "1 with --io-threads 0") }
            // Neither stopping at a line nor a pace nor a command is one thing for all runs.
            let serial: [any DeclaredSetting] = [
                ReplaySyntax.strict, ReplaySyntax.maxDamaged, ReplaySyntax.speed, ReplaySyntax.rate,
                ReplaySyntax.control, ReplaySyntax.follow, ReplaySyntax.runIdleLimit,
            ]
            for option in serial where arguments.isGiven(option) {
                throw .badValue(option: "--jobs", value: "\(jobs)", expected: "1 with --\(option.declaration.name)")
            }
        }
        if ioThreads == 0, arguments.isGiven(ReplaySyntax.control) {
            throw .badValue(option: "--io-threads", value: "0", expected: "1 or 2 with --control")
        }
        if let checkpoint = arguments[checkpoint], arguments.operands.contains("-") {
            let expected = "no standard input with it: it cannot be read again"
            throw .badValue(option: "--checkpoint", value: checkpoint, expected: expected)
        }
    }
}
