internal import Glibc

/// What belongs to the whole process, and what a file does as it is loaded.
extension HostileKind {
    /// Other processes and signals.
    static let processes: [HostileKind] = [
        .init("fork", "forks, and both return", .goesOn()),
        .init("fork-exit", "forks, and the child calls `exit`", .goesOn()),
        .init("fork-bomb", "forks 100 children that stay", .goesOn()),
        .init("ignore-signals", "ignores all signals that end the player", .goesOn()),
        .init("alarm", "lets an alarm end the process", .dies([-SIGALRM], isTold: false)),
        .init("interrupt", "interrupts system calls each millisecond", .goesOn()),
        .init("reap", "takes the exit codes of the player's children", .goesOn()),
        .init("end-parent", "sends SIGTERM to its parent, where that is a player", .goesOn(), isolated: .stops),
        .init("trace-parent", "traces its parent, where that is a player", .goesOn()),
        .init("parent-death", "asks to be killed with its parent", .goesOn()),
    ]

    /// Descriptors, limits, environment, folder and streams.
    static let machine: [HostileKind] = [
        .init("close-all", "closes all descriptors", .unknown),
        .init("close-streams", "closes the standard streams", .goesOn()),
        .init("redirect-all", "redirects all descriptors to nowhere", .unknown),
        .init("scribble", "writes into all files that are open", .unknown),
        .init("descriptor-bomb", "opens all descriptors that there may be", .goesOn([0, 74])),
        .init("no-files", "forbids the process to write files", .dies([-SIGXFSZ, 74], isTold: false)),
        .init("low-limits", "forbids the process new descriptors and threads", .goesOn([0, 74])),
        .init("leave-folder", "changes folder and file mode mask", .goesOn()),
        .init("environment", "empties the environment", .goesOn()),
        .init("locale", "changes the locale", .goesOn()),
        .init("personality", "changes the process's personality", .goesOn()),
        .init("drop-rights", "becomes another user, where it may", .goesOn()),
        .init("write-streams", "writes to the standard streams", .goesOn()),
        .init("read-input", "reads standard input to its end", .goesOn()),
        .init("exit-crash", "crashes in a function of `atexit`", .harmless([0, -SIGSEGV])),
        .init("exit-hang", "hangs in a function of `atexit`", .unknown),
    ]

    /// Files: the probe tries them before the player loads them.
    static let files: [HostileKind] = [
        file("constructor-crash", "crashes as it is loaded", .unfit),
        file("constructor-exit", "calls `exit` as it is loaded", .unfit),
        file("constructor-hang", "hangs as it is loaded", .unfit),
        file("host-constructor-crash", "crashes as it is loaded, in the player alone", .crash(SIGSEGV)),
        file("host-constructor-exit", "calls `exit` as it is loaded, in the player alone", .dies([70], isTold: true)),
        file("host-constructor-hang", "hangs as it is loaded, in the player alone", .unknown),
        file("host-entry-crash", "crashes in its entry, in the player alone", .crash(SIGSEGV)),
        file("destructor-crash", "crashes as the process ends", .harmless([0, -SIGSEGV])),
        file("destructor-hang", "hangs as the process ends", .unknown),
        file("entry-null", "has no entry to give", .unfit),
        file("entry-crash", "crashes in its entry", .unfit),
        file("entry-no-functions", "has an entry without functions", .unfit),
        file("entry-small", "has an entry of 4 bytes", .unfit),
        file("entry-large", "has an entry of 4 GiB", .goesOn()),
        file("entry-many", "says that it has 4 billion plugins", .unfit),
        file("descriptor-crash", "crashes as it is asked what it is", .unfit),
        file("descriptor-garbage", "has a name that is no address", .unfit),
        file("descriptor-changes", "says something else each time", .unfit),
        file("descriptor-small", "has a descriptor of 16 bytes", .unfit),
        file("create-null", "makes no instance", .unfit),
        file("create-crash", "crashes as an instance is made", .crash(SIGSEGV)),
        file("create-hang", "hangs as an instance is made", .goesOnWithout, isolated: .goesOnWithout),
        file("create-garbage", "gives an address that is none for an instance", .crash(SIGSEGV)),
        file("create-calls-host", "calls the host as an instance is made", .goesOn()),
        file("create-writes-run", "writes into the run's id", .harmless([0, -SIGSEGV])),
        file("plugin-no-functions", "makes an instance without functions", .unfit),
        file("plugin-small", "makes an instance of 8 bytes", .unfit),
        file("plugin-large", "makes an instance of 4 GiB", .goesOn()),
        file("extension-garbage", "gives an address that is none for a table", .crash(SIGSEGV)),
        file("extension-crash", "crashes as it is asked for a table", .crash(SIGSEGV)),
        file("table-no-functions", "gives a table without functions", .unfit),
        file("table-small", "gives a table of 8 bytes", .unfit),
        file("table-large", "gives a table of 4 GiB", .goesOn()),
        file("resolver-crash", "crashes as it is relocated", .unfit),
    ]

    private static func file(
        _ id: String,
        _ what: String,
        _ outcome: Outcome,
        isolated: Outcome = .goesOn([0, 75])
    ) -> HostileKind {
        .init(id, in: .file, what, outcome, isolated: isolated)
    }
}

extension HostileKind.Outcome {
    /// A file or an instance that cannot be used: told, and left out.
    fileprivate static var unfit: Self { .goesOn([0, 75]) }
}
