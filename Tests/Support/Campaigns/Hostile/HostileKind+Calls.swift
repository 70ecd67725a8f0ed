internal import Glibc

/// What happens in a call: deaths, ends, calls that do not return.
extension HostileKind {
    /// Ends of the process by a signal.
    static let deaths: [HostileKind] = [
        .init("segfault", "writes to an address that is not there", .crash(SIGSEGV)),
        .init("segfault-init", as: "segfault", in: .initialize, "the same in `init`", .crash(SIGSEGV)),
        .init("segfault-enable", as: "segfault", in: .enable, "the same in `enable`", .crash(SIGSEGV)),
        .init("segfault-begin", as: "segfault", in: .sessionBegin, "the same in `session_begin`", .crash(SIGSEGV)),
        .init("segfault-timer", as: "segfault", in: .timer, after: 1, "the same in `on_timer`", .crash(SIGSEGV)),
        .init("segfault-end", as: "segfault", in: .sessionEnd, "the same in `session_end`", .crash(SIGSEGV)),
        .init("segfault-disable", as: "segfault", in: .disable, "the same in `disable`", .crash(SIGSEGV)),
        .init("segfault-destroy", as: "segfault", in: .destroy, "the same in `destroy`", .crash(SIGSEGV)),
        .init("segfault-configure", as: "segfault", in: .configure, "the same in `configure`", .crash(SIGSEGV)),
        .init("segfault-command", as: "segfault", in: .command, "the same in a command", .crash(SIGSEGV)),
        .init("null-call", "calls a function at address 0", .crash(SIGSEGV)),
        .init("trap", "executes an illegal instruction", .crash(SIGILL)),
        .init("abort", "calls `abort`", .crash(SIGABRT)),
        .init("divide", "divides by zero", .crash(SIGFPE)),
        .init("bus", "reads behind the end of a mapped file", .crash(SIGBUS)),
        .init("stack-overflow", "recurses without end", .crash(SIGSEGV)),
        .init("large-frame", "has 256 MiB on its stack", .crash(SIGSEGV)),
        .init("smash", "writes over its own return address", .crash(SIGSEGV, SIGABRT)),
        .init("throw", "throws what nobody catches", .crash(SIGABRT)),
        .init("unwind", "unwinds the frames of the host", .crash(SIGABRT)),
        .init("longjmp", "jumps into a frame that is gone", .unknown),
        .init("thread-segfault", "crashes on a thread of its own", .dies([-SIGSEGV], isTold: false)),
    ]

    /// Ends of the process without a crash.
    static let exits: [HostileKind] = [
        .init("exit", "calls `exit(0)`", .dies([70], isTold: true)),
        .init("exit-end", as: "exit", in: .sessionEnd, "the same in `session_end`", .dies([70], isTold: true)),
        .init("_exit", "calls `_exit(0)`", .dies([0, 70], isTold: false)),
        .init("quick-exit", "calls `quick_exit(0)`", .dies([0, 70], isTold: false)),
        .init("thread-exit", "calls `exit(0)` on a thread of its own", .dies([0, 70], isTold: false)),
        .init("kill-self", "sends SIGKILL to the process", .dies([-SIGKILL], isTold: false)),
        .init("exec", "becomes another program", .dies([0], isTold: false)),
    ]

    /// Calls that do not return, or late.
    static let hangs: [HostileKind] = [
        .init("loop", "loops for ever", .goesOnWithout),
        .init("loop-begin", as: "loop", in: .sessionBegin, "the same in `session_begin`", .goesOnWithout),
        .init("loop-timer", as: "loop", in: .timer, after: 1, "the same in `on_timer`", .goesOnWithout),
        .init("loop-end", as: "loop", in: .sessionEnd, "the same in `session_end`", .goesOnWithout),
        .init("sleep", "waits for ever", .goesOnWithout),
        // Whoever starts a run waits for these, as long as a call may take.
        .init(
            "sleep-init",
            as: "sleep",
            in: .initialize,
            "the same in `init`",
            .goesOnWithout,
            isolated: .goesOnWithout
        ),
        .init(
            "sleep-enable",
            as: "sleep",
            in: .enable,
            "the same in `enable`",
            .goesOnWithout,
            isolated: .goesOnWithout
        ),
        .init("sleep-disable", as: "sleep", in: .disable, "the same in `disable`", .goesOnWithout),
        .init("sleep-destroy", as: "sleep", in: .destroy, "the same in `destroy`", .goesOnWithout),
        .init("sleep-configure", as: "sleep", in: .configure, "the same in `configure`", .goesOnWithout),
        .init("sleep-command", as: "sleep", in: .command, "the same in a command", .goesOnWithout),
        .init("deadlock", "locks a mutex of its own twice", .goesOnWithout),
        .init("pthread-exit", "ends the thread that called it", .goesOnWithout),
        .init("cancel", "cancels the thread that called it", .goesOnWithout),
        .init("drop-thread", "ends the thread in the kernel", .goesOnWithout),
        .init("seccomp", "forbids the thread all system calls", .unknown),
        .init("crash-loop", "takes its own crash and comes back to it for ever", .goesOnWithout),
        .init("slow", "takes 150 ms for each event", .goesOn()),
        .init("late", "returns once after 3.5 s", .goesOnWithout),
        .init("late-word", "the same, and says a record then", .goesOnWithout),
        .init("lock-streams", "keeps the lock of standard output and error", .unknown),
        .init("lock-loader", "keeps the lock of the dynamic loader on a thread", .goesOn()),
        .init("many-timers", in: .timer, after: 0, "starts 10,000 timers that are due at once", .unknown),
        .init("endless-timers", in: .timer, after: 0, "starts a timer each millisecond, for ever", .goesOn([0, 75])),
    ]
}
