import Glibc

/// The real program on a terminal of its own: a pseudoterminal, which it has as its controlling terminal.
final class TerminalProcess {
    enum Failure: Error {
        case noTerminal(Int32)
        case notStarted(Int32)
    }

    // What the headers define with macros Swift cannot see: TIOCSPTLCK, TIOCGPTN, POSIX_SPAWN_SETSID with
    // POSIX_SPAWN_SETSIGMASK and POSIX_SPAWN_SETSIGDEF.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let newSession: Int16 = 0x80 | 0x08 | 0x04

    /// No crash is explained on the terminal, which would wait for a key.
    private static let isSilent = unsafe setenv("SWIFT_BACKTRACE", "enable=no", 1) == 0

    /// In a build under a sanitizer a signal ends the program too, and not the sanitizer's handler with a code.
    private static let isEndedBySignals = ["ASAN_OPTIONS", "TSAN_OPTIONS"].allSatisfy { name in
        let options = unsafe getenv(name).map { unsafe String(cString: $0) + ":" } ?? ""
        return unsafe setenv(name, options + "handle_segv=0", 1) == 0
    }

    private let terminal: Int32
    private var child: pid_t = 0
    private var shown = ""

    init(_ arguments: [String]) throws {
        precondition(Self.isSilent && Self.isEndedBySignals, "the environment cannot be changed")
        terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard terminal >= 0, unsafe ioctl(terminal, Self.setLock, &isLocked) == 0,
            unsafe ioctl(terminal, Self.getNumber, &number) == 0
        else { throw Failure.noTerminal(errno) }
        let path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a new session opens controls it.
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, stream, path, O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // No signal is blocked or ignored because it is in whatever runs the tests.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Self.newSession)
        var words = unsafe (["tally-player"] + arguments).map { text in unsafe strdup(text) } + [nil]
        defer {
            for index in unsafe words.indices {
                unsafe free(words[index])
            }
        }
        let program = TestFile.products + "/tally-player"
        let started = unsafe posix_spawn(&child, program, &actions, &attributes, &words, environ)
        guard started == 0 else { throw Failure.notStarted(started) }
        _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(terminal)
    }

    /// Whether keys are echoed and lines waited for, as a shell wants it.
    var isOrdinary: Bool {
        var mode = termios()
        guard unsafe tcgetattr(terminal, &mode) == 0 else { return false }
        let both = tcflag_t(ICANON | ECHO)
        return mode.c_lflag & both == both
    }

    /// What stands on the terminal so far.
    var text: String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { target in
                unsafe read(terminal, target.baseAddress, target.count)
            }
            guard count > 0 else { return shown }
            shown += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// Types keys.
    func type(_ keys: String) {
        _ = unsafe keys.withCString { unsafe write(terminal, $0, strlen($0)) }
    }

    func signal(_ number: Int32) {
        kill(child, number)
    }

    /// Waits until a condition holds; false when it does not within 60 s.
    func wait(until condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<6000 {
            // A terminal that nobody reads from halts the program.
            _ = text
            if try condition() { return true }
            usleep(10_000)
        }
        return false
    }

    /// Whether the program is halted by a signal now.
    func waitUntilHalted() -> Bool {
        wait {
            var status: Int32 = 0
            return unsafe waitpid(child, &status, WUNTRACED | WNOHANG) == child && status & 0xFF == 0x7F
        }
    }

    /// The exit code, or the signal as a negative number; nil as long as the program goes on.
    func endNow() -> Int32? {
        var status: Int32 = 0
        guard unsafe waitpid(child, &status, WNOHANG) == child else { return nil }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// Waits for the end: the exit code, or the signal as a negative number; nil when it does not come.
    func end() -> Int32? {
        var code: Int32?
        _ = wait {
            code = endNow()
            return code != nil
        }
        return code
    }
}
