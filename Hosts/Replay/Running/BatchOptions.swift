internal import HostSupport

/// The options that say with how many threads archives are replayed, and how a replay goes on after a kill.
enum BatchOptions {
    /// How many coordinators there may be.
    static let jobs = 1...64
    /// How often a checkpoint is kept, s.
    static let checkpointEvery = 5.0

    /// How often progress is told where there is no terminal, s.
    static let progressEvery = 10.0

    private static let section = "Many archives"

    static let all = [
        CommandLineOption(
            "jobs",
            value: "COUNT",
            section: section,
            help: "Replay so many runs at once; 1 unless given. The output is the same for any number."
        ),
        CommandLineOption(
            "unordered",
            section: section,
            help: "With --jobs, hand outputs to the reporters as they come, and not in the order of the archives."
        ),
        CommandLineOption(
            "cut-sessions",
            section: section,
            help:
                "Replay each chosen session by itself, as a run of its own. Ids and counters may differ from the whole "
                + "run's."
        ),
        CommandLineOption(
            "io-threads",
            value: "COUNT",
            section: section,
            help:
                "Threads for reading and writing: 2 (unless given) reads ahead and lets each reporter write on a thread "
                + "of its own, 1 does not read ahead, 0 does everything on one thread."
        ),
        CommandLineOption(
            "progress",
            value: "SECONDS",
            section: section,
            help: "Tell the progress so often where there is no terminal to show a bar on; every 10 seconds unless "
                + "given."
        ),
        CommandLineOption(
            "checkpoint",
            value: "FILE",
            section: section,
            help: "Note in this file how far the output is safe. When the replay is killed, the same command goes on "
                + "there; at its end the file is removed."
        ),
        CommandLineOption(
            "checkpoint-every",
            value: "SECONDS",
            section: section,
            help: "Note it so often; every 5 seconds unless given."
        ),
    ]
}

/// What the command line says of them.
struct BatchRequest: Sendable {
    let jobs: Int
    let isUnordered: Bool
    /// Whether sessions are cut out of their runs.
    let cutsSessions: Bool
    let ioThreads: Int
    let checkpoint: String?
    let checkpointEvery: Double
    let progressEvery: Double

    /// Reads a command line with ``BatchOptions/all``.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        jobs = try arguments.integer("jobs", in: BatchOptions.jobs) ?? 1
        isUnordered = arguments.isSet("unordered")
        cutsSessions = arguments.isSet("cut-sessions")
        ioThreads = try arguments.integer("io-threads", in: 0...2) ?? 2
        checkpoint = arguments.value("checkpoint")
        checkpointEvery = try arguments.number("checkpoint-every", atLeast: 0.001) ?? BatchOptions.checkpointEvery
        progressEvery = try arguments.number("progress", atLeast: 0) ?? BatchOptions.progressEvery
        if jobs > 1 {
            if ioThreads == 0 { throw .badValue(option: "--jobs", value: "\(jobs)", expected: "1 with --io-threads 0") }
            // Neither stopping at a line nor a pace nor a command is one thing for all runs.
            for option in ["strict", "speed", "rate", "control", "follow"] where arguments.isSet(option) {
                throw .badValue(option: "--jobs", value: "\(jobs)", expected: "1 with --\(option)")
            }
        }
        if ioThreads == 0, arguments.isSet("control") {
            throw .badValue(option: "--io-threads", value: "0", expected: "1 or 2 with --control")
        }
        guard let checkpoint else {
            if arguments.isSet("checkpoint-every") { throw .missingArgument("--checkpoint FILE") }
            return
        }
        if arguments.operands.contains("-") {
            throw .badValue(
                option: "--checkpoint",
                value: checkpoint,
                expected: "no standard input with it: it cannot be read again"
            )
        }
        if arguments.isSet("follow") {
            throw .badValue(option: "--checkpoint", value: checkpoint, expected: "no --follow with it")
        }
        if arguments.isSet("baseline") {
            throw .badValue(
                option: "--checkpoint",
                value: checkpoint,
                expected: "no --baseline with it; use tally-replay diff at the end"
            )
        }
    }
}
