internal import Glibc
internal import Synchronization

/// The mode of the terminal in which single keys are read: nothing is echoed, and no line end is waited for.
///
/// The keys that send signals go on to send them. Whatever ends the program, the mode that was found is put back; only
/// SIGKILL, and signals that have a number and no name, leave no time for that.
package enum KeyMode {
    private static let input = STDIN_FILENO
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
    /// What ends a program that does not care for it.
    private static let others = [
        SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGSYS, SIGXCPU, SIGXFSZ,
    ]
    nonisolated(unsafe) private static let found = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// What each deadly signal did before, by its number.
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    private static let isWanted = Atomic<Bool>(false)
    private static let isEntered = Atomic<Bool>(false)

    /// Enters the mode; false when standard input is no terminal, or that of another job.
    package static func enter() -> Bool {
        guard isForeground, unsafe tcgetattr(input, found) == 0 else { return false }
        isWanted.store(true, ordering: .sequentiallyConsistent)
        for number in faults { watch(number) }
        for number in others where endsProgram(number) { watch(number) }
        atexit { KeyMode.leave() }
        return change()
    }

    /// Puts the mode back that was found; safe in a signal handler.
    package static func leave() {
        guard isEntered.exchange(false, ordering: .sequentiallyConsistent) else { return }
        guard isForeground else { return }
        unsafe tcsetattr(input, TCSANOW, found)
    }

    /// Puts the mode back for good.
    package static func end() {
        isWanted.store(false, ordering: .sequentiallyConsistent)
        leave()
    }

    /// Enters the mode again, after the program was halted.
    package static func resume() {
        guard isWanted.load(ordering: .sequentiallyConsistent), isForeground else { return }
        _ = change()
    }

    /// Whether the terminal is that of this program now; a program in the background is halted when it reads from it.
    package static var isForeground: Bool { isatty(input) == 1 && tcgetpgrp(input) == getpgrp() }

    private static func change() -> Bool {
        var mode = unsafe found.pointee
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A read takes what there is; somebody else waits for it.
        unsafe withUnsafeMutableBytes(of: &mode.c_cc) { codes in
            unsafe codes[Int(VMIN)] = 0
            unsafe codes[Int(VTIME)] = 0
        }
        isEntered.store(true, ordering: .sequentiallyConsistent)
        guard unsafe tcsetattr(input, TCSANOW, &mode) == 0 else {
            isEntered.store(false, ordering: .sequentiallyConsistent)
            return false
        }
        return true
    }

    /// Whether nobody ignores or takes the signal.
    private static func endsProgram(_ number: Int32) -> Bool {
        var action = sigaction()
        return unsafe sigaction(number, nil, &action) == 0 && action.__sigaction_handler.sa_handler == nil
    }

    /// Puts the mode back before the signal does what it did before.
    private static func watch(_ number: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { number in
            KeyMode.leave()
            unsafe sigaction(number, KeyMode.before + Int(number), nil)
            raise(number)
        }
        action.sa_flags = Int32(SA_NODEFER) | Int32(SA_ONSTACK)
        unsafe sigaction(number, &action, before + Int(number))
    }
}
