internal import HostSupport

/// The options that say with how many threads archives are replayed, and how a replay goes on after a kill.
enum BatchOptions {
    /// How many coordinators there may be.
    static let jobs = 1...64
    /// How often a checkpoint is kept, s.
    static let checkpointEvery = 5.0

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
            "io-threads",
            value: "COUNT",
            section: section,
            help:
                "Threads for reading and writing: 2 (unless given) reads ahead and lets each reporter write on a thread "
                + "of its own, 1 does not read ahead, 0 does everything on one thread."
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
    let ioThreads: Int
    let checkpoint: String?
    let checkpointEvery: Double

    /// Reads a command line with ``BatchOptions/all``.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        jobs = try arguments.integer("jobs", in: BatchOptions.jobs) ?? 1
        isUnordered = arguments.isSet("unordered")
        ioThreads = try arguments.integer("io-threads", in: 0...2) ?? 2
        checkpoint = arguments.value("checkpoint")
        checkpointEvery = try arguments.number("checkpoint-every", atLeast: 0.001) ?? BatchOptions.checkpointEvery
        if jobs > 1 {
            // One thread cannot be several, and neither stopping at a line nor the pace of a run is one thing for all.
            for (option, isWrong) in [
                ("--io-threads", ioThreads == 0), ("--strict", arguments.isSet("strict")),
                ("--speed", arguments.isSet("speed")),
            ] where isWrong {
                throw .badValue(
                    option: "--jobs",
                    value: "\(jobs)",
                    expected: "1 with \(option)\(option == "--io-threads" ? " 0" : "")"
                )
            }
        }
        guard let checkpoint else { return }
        if arguments.operands.contains("-") {
            throw .badValue(
                option: "--checkpoint",
                value: checkpoint,
                expected: "no standard input with it: it cannot be read again"
            )
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
