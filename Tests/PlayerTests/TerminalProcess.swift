import ChildPrograms
import Glibc

/// The real program on a terminal of its own: a pseudoterminal, which it has as its controlling terminal.
final class TerminalProcess {
    enum Failure: Error {
        case noTerminal(Int32)
    }

    // What the headers define with macros Swift cannot see: TIOCSPTLCK, TIOCGPTN.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let terminal: Int32
    private let program: ChildProgram
    private var shown = ""

    init(_ arguments: [String]) throws {
        terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard terminal >= 0, unsafe ioctl(terminal, Self.setLock, &isLocked) == 0,
            unsafe ioctl(terminal, Self.getNumber, &number) == 0
        else { throw Failure.noTerminal(errno) }
        var size = winsize(ws_row: 24, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
        program = try ChildProgram("tally-player", arguments, terminal: "/dev/pts/\(number)")
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

    func send(_ signal: Int32) {
        program.send(signal)
    }

    /// Waits until a condition holds; false when it does not come to hold.
    func wait(until condition: () throws -> Bool) async rethrows -> Bool {
        try await eventually {
            // A terminal that nobody reads from halts the program.
            _ = text
            return try condition()
        }
    }

    /// Whether the program is halted by a signal now.
    func waitUntilHalted() async -> Bool {
        await wait { program.state == .halted }
    }

    /// The exit code, or the signal as a negative number; nil as long as the program goes on.
    func endNow() -> Int32? {
        if case .ended(let code) = program.state { code } else { nil }
    }

    /// Waits for the end: the exit code, or the signal as a negative number; nil when it does not come.
    func end() async -> Int32? {
        _ = await wait { endNow() != nil }
        return endNow()
    }
}
