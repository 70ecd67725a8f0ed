internal import Glibc
internal import System

/// Turns the signals that ask for an end into a graceful one; a second interrupt ends the program at once.
package enum SignalWatch {
    /// Keeps the signals back in this thread and in all that it starts; to be called before there are others.
    package static func block() {
        var signals = set
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls `first`, on a thread of its own, at the first signal, and `hangUp` there at each SIGHUP.
    ///
    /// Without `hangUp` a SIGHUP asks for an end too.
    package static func start(_ first: @escaping @Sendable () -> Void, hangUp: (@Sendable () -> Void)?) {
        _ = Thread(name: "signals") { wait(first, hangUp) }
    }

    /// Takes a signal that has come, where no thread waits for them; false when none has.
    package static func consumePending() -> Bool {
        var signals = set
        var none = timespec()
        return unsafe sigtimedwait(&signals, nil, &none) > 0
    }

    private static func wait(_ first: () -> Void, _ hangUp: (() -> Void)?) {
        var signals = set
        var isEnding = false
        while true {
            var number: Int32 = 0
            guard unsafe sigwait(&signals, &number) == 0 else { continue }
            if number == SIGTSTP {
                KeyMode.leave()
                kill(getpid(), SIGSTOP)
                continue
            }
            if number == SIGCONT {
                KeyMode.resume()
                continue
            }
            if number == SIGHUP, let hangUp {
                hangUp()
                continue
            }
            if isEnding, number == SIGINT {
                KeyMode.leave()
                _exit(ExitCode.interrupted.rawValue)
            }
            if !isEnding {
                isEnding = true
                first()
            }
        }
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT] { unsafe sigaddset(&signals, number) }
        return signals
    }
}
