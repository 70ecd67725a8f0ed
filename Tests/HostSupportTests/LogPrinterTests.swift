import Glibc
import HostSupport
import Tally
import Testing

struct LogPrinterTests {
    private final class Text: @unchecked Sendable {
        var value = ""
    }

    private let text = Text()

    private func printer(_ lowest: LogLine.Level, hasColour: Bool = false) -> LogPrinter {
        let terminal = Terminal(isTerminal: hasColour, hasColour: hasColour)
        return LogPrinter(program: "host", lowest: lowest, terminal: terminal) { [text] in text.value += $0 }
    }

    @Test("A line begins with the program, and from warnings on with its level")
    func levels() {
        let printer = printer(.info)
        printer.show(.debug, "a")
        printer.show(.info, "b")
        printer.show(.warning, "c")
        printer.show(.error, "d")
        #expect(text.value == "host: b\nhost: warning: c\nhost: error: d\n")
    }

    @Test("Quiet shows warnings and errors, verbose everything")
    func lowest() {
        for (lowest, count) in [(LogLine.Level.debug, 4), (.info, 3), (.warning, 2), (.error, 1)] {
            text.value = ""
            let printer = printer(lowest)
            for level in [LogLine.Level.debug, .info, .warning, .error] {
                printer.show(level, "x")
            }
            #expect(text.value.split(separator: "\n").count == count)
        }
    }

    @Test("A message is one line and moves no cursor")
    func controlCharacters() {
        printer(.info).show(.info, "a\nhost: error: b\u{1B}[2J\u{9B}c\u{7F}\u{E9}")
        #expect(text.value == "host: a host: error: b [2J c \u{E9}\n")
    }

    @Test("Levels have colours where they are wanted")
    func colours() {
        printer(.info, hasColour: true).show(.error, "x")
        #expect(text.value == "host: \u{1B}[31merror: \u{1B}[0mx\n")
    }
}
