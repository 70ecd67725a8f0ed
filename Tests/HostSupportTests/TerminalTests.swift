import Glibc
import HostSupport
import Testing

struct TerminalTests {
    @Test("A pipe is no terminal and gets no colours")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        let made = unsafe Glibc.pipe(&ends)
        try #require(made == 0)
        defer {
            close(ends[0])
            close(ends[1])
        }
        let terminal = Terminal(descriptor: ends[1])
        #expect(!terminal.isTerminal)
        #expect(terminal.styled("text", .red) == "text")
    }

    @Test("A pseudo terminal is one, with its width")
    func pseudoTerminal() throws {
        let leader = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(leader >= 0)
        defer { close(leader) }
        // TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not see.
        var locked: Int32 = 0
        var number: Int32 = -1
        let unlocked = unsafe ioctl(leader, 0x4004_5431, &locked)
        let numbered = unsafe ioctl(leader, 0x8004_5430, &number)
        try #require(unlocked == 0 && numbered == 0)
        let follower = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(follower >= 0)
        defer { close(follower) }
        var size = winsize(ws_row: 20, ws_col: 133, ws_xpixel: 0, ws_ypixel: 0)
        let resized = unsafe ioctl(follower, UInt(TIOCSWINSZ), &size)
        try #require(resized == 0)
        let terminal = Terminal(descriptor: follower)
        #expect(terminal.isTerminal)
        #expect(terminal.width == 133)
    }

    @Test("Colours wrap the text where they are wanted")
    func colours() {
        let coloured = Terminal(isTerminal: true, hasColour: true)
        #expect(coloured.styled("text", .green) == "\u{1B}[32mtext\u{1B}[0m")
        let plain = Terminal(isTerminal: true, hasColour: false)
        #expect(plain.styled("text", .green) == "text")
    }

    @Test("A progress line rewrites itself, is cut to the width and disappears")
    func progress() {
        final class Log { var text = "" }
        let log = Log()
        var line = ProgressLine(terminal: Terminal(isTerminal: true, hasColour: false, width: 6)) { log.text += $0 }
        line.clear()
        line.show("1234567")
        line.show("ab\ncd")
        line.clear()
        line.clear()
        #expect(log.text == "\r\u{1B}[K12345\r\u{1B}[Kab\r\u{1B}[K")
        var silent = ProgressLine(terminal: Terminal(isTerminal: false, hasColour: false)) { log.text += $0 }
        let before = log.text
        silent.show("x")
        silent.clear()
        #expect(log.text == before)
    }

    @Test("A file that cannot be read gives the system's reason")
    func unreadable() throws {
        let missing = TemporaryFolder().file("missing")
        #expect(throws: TextFile.Failure.system(ENOENT)) { try TextFile.read(missing) }
        #expect(throws: TextFile.Failure.system(EISDIR)) { try TextFile.read("/") }
        #expect(throws: TextFile.Failure.tooLarge(limit: 1000)) { try TextFile.read("/dev/zero", limit: 1000) }
        #expect(TextFile.Failure.system(ENOENT).reason == "No such file or directory")
    }

    @Test("Writing to a full device names the output, the reason and the remedy")
    func fullDevice() throws {
        let device = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(device >= 0)
        defer { close(device) }
        do throws(StandardStream.Failure) {
            try StandardStream.write("text", to: device, named: "the summary")
            Issue.record("no error")
        } catch {
            let advice = "make room on the disk and run again"
            #expect(error.message == "cannot write to the summary: No space left on device; \(advice)")
            #expect(error.exitCode == .outputFailed)
        }
    }

    @Test("A long text is written whole, in as many parts as the system wants")
    func longText() throws {
        let folder = TemporaryFolder()
        let path = folder.write("out", "")
        let text = String(repeating: "0123456789", count: 300_000)
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        try #require(file >= 0)
        try StandardStream.write(text, to: file, named: "the file")
        close(file)
        #expect(try TextFile.read(path) == Array(text.utf8))
    }
}
