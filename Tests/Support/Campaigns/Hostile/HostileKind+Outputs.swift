internal import Glibc

/// What is said, and what is written where only the host may write.
extension HostileKind {
    /// Outputs that are wrong or too much.
    static let outputs: [HostileKind] = [
        .init("huge-record", "says a record of 100 MiB", .goesOn()),
        .init("outside-record", "says records whose offsets lie outside", .goesOn()),
        .init("overlapping-record", "says records whose parts lie upon each other", .goesOn()),
        .init("invalid-text", "says texts that are not UTF-8", .goesOn()),
        .init("nul-text", "says texts with NUL and control characters", .goesOn()),
        .init("flood", "says 200,000 records at one event", .goesOn([0, 74]), isolated: .goesOn([0, 74])),
        .init("beacon-flood", "says 20,000 beacons at one event", .goesOn([0, 74]), isolated: .goesOn([0, 74])),
        .init("bad-beacon", "says beacons that break out of a request", .goesOn()),
        .init("null-text", "gives lengths without texts", .goesOn()),
        .init("null-record", "gives NULL for a record", .goesOn()),
        .init("fail", "returns an error for each event", .goesOnWithout),
        .init("explain", "explains an error for each event and returns none", .goesOn()),
        .init("odd-status", "returns statuses that nobody knows", .goesOn()),
        .init("odd-errors", "returns errors that nobody knows", .goesOnWithout),
        .init("long-error", "explains an error with 10 MiB", .goesOn([0, 75])),
        .init("log-flood", "logs 20,000 lines that a terminal would obey", .goesOn()),
        .init("error-flood", "tells the player of 5,000 errors", .goesOn([0, 75])),
        .init("store-flood", "stores 20,000 values that it may not", .goesOn()),
        .init("last-word", in: .disable, "says a record and starts a timer in `disable`", .goesOn()),
        .init("very-last-word", as: "last-word", in: .destroy, "the same in `destroy`", .goesOn()),
        .init("cancel-timers", "cancels timers that are not its own", .goesOn()),
        .init("draw-numbers", "draws a million random numbers", .goesOn()),
        .init("long-answer", in: .command, "answers a command with 100 MiB", .goesOn()),
    ]

    /// Memory that belongs to the host, and all of it.
    static let memory: [HostileKind] = [
        .init("write-event", "writes into the event's block", .crash(SIGSEGV)),
        .init("write-snapshot", as: "write-event", in: .sessionBegin, "writes into the snapshot", .crash(SIGSEGV)),
        .init("write-state", in: .timer, after: 1, "writes into the state", .harmless([0, -SIGSEGV])),
        .init("write-config", as: "write-text", in: .initialize, "writes into the configuration's text", .goesOn()),
        .init("write-tables", "writes into the host's tables of functions", .harmless([0, -SIGSEGV])),
        .init("free-event", "frees the event's block", .crash(SIGABRT, SIGSEGV)),
        .init("free-host", "frees the host's table", .crash(SIGABRT, SIGSEGV)),
        .init("double-free", "frees its own memory twice", .crash(SIGABRT)),
        .init("free-itself", in: .disable, "frees itself in `disable`", .harmless([0, -SIGABRT, -SIGSEGV])),
        .init("overrun", "writes far behind the end of its memory", .unknown),
        .init("unmap-host", "unmaps the program's code", .dies([-SIGSEGV], isTold: false)),
        .init("protect-self", "takes the right to run from its own code", .crash(SIGSEGV)),
        .init("memory-bomb", "takes all memory that there is", .unknown),
    ]

    /// Threads of its own, and the host's.
    static let threads: [HostileKind] = [
        .init("thread-emit", "says records on threads of its own", .goesOn()),
        .init("late-calls", in: .disable, "calls the host after `disable`", .goesOn()),
        .init("later-calls", as: "late-calls", in: .destroy, "calls the host after `destroy`", .goesOn()),
        .init(
            "stale-calls",
            as: "late-calls",
            in: .initialize,
            "calls the host on a thread, whatever becomes of the instance",
            .goesOn()
        ),
        .init("thread-bomb", "starts 500 threads", .goesOn()),
        .init("busy-threads", "keeps four threads busy", .goesOn()),
        .init("detach", "detaches the thread that called it", .goesOn()),
        .init("thread-end-crash", "crashes as the thread ends", .dies([-SIGSEGV], isTold: false)),
        .init("degrade-thread", "gives the thread least priority, and blocks its signals", .unknown),
        .init("rounding", "rounds floating point otherwise from then on", .goesOn()),
        .init("direction", "turns the direction of copies", .goesOn()),
    ]
}
