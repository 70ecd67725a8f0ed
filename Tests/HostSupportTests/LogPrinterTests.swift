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
        #expect(text.value == "host: a\\u{a}host: error: b\\u{1b}[2J\\u{9b}c\\u{7f}\u{E9}\n")
    }

    @Test("Levels have colours where they are wanted")
    func colours() {
        printer(.info, hasColour: true).show(.error, "x")
        #expect(text.value == "host: \u{1B}[31merror: \u{1B}[0mx\n")
    }

    // MARK: - What is said again and again

    private func say(
        _ message: String,
        _ level: LogLine.Level = .warning,
        by instance: String = "plugin",
        to printer: LogPrinter
    ) {
        printer.write(LogLine(level: level, instance: instance, message: message))
    }

    @Test("Of a plugin's warnings that differ in numbers only three are shown, and at the end how many more there were")
    func repeatedWarnings() {
        let printer = printer(.warning)
        for second in 0..<512 {
            say("2025-06-18 at 05:12:\(second) nothing is known of ad \(second * 7)", to: printer)
        }
        say("something else", to: printer)
        printer.showHidden()
        let lines = text.value.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[1] == "host: warning: plugin: 2025-06-18 at 05:12:1 nothing is known of ad 7")
        #expect(lines[2].hasSuffix("of ad 14 (more of the same is only counted)"))
        #expect(lines[3] == "host: warning: plugin: something else")
        #expect(
            lines[4] == "host: warning: plugin: 509 more lines that say what was said before; --verbose shows all"
        )
    }

    @Test("Each plugin has its three lines, and errors are counted whether they are shown or not")
    func repeatedErrors() {
        let printer = printer(.warning)
        for _ in 0..<4 {
            say("no room", .error, by: "a", to: printer)
            say("no room", .error, by: "b", to: printer)
        }
        printer.showHidden()
        #expect(text.value.split(separator: "\n").count == 8)
        #expect(
            text.value.hasSuffix("host: warning: b: 1 more line that says what was said before; --verbose shows all\n")
        )
        #expect(printer.errors(of: "a") == 4)
    }

    @Test("What is no warning, what the core says, and everything when all is wanted, is shown each time")
    func shownEachTime() {
        for (lowest, level, instance) in [
            (LogLine.Level.info, LogLine.Level.info, "plugin"), (.info, .warning, ""), (.debug, .warning, "plugin"),
        ] {
            text.value = ""
            let printer = printer(lowest)
            for _ in 0..<50 { say("again", level, by: instance, to: printer) }
            printer.showHidden()
            #expect(text.value.split(separator: "\n").count == 50)
        }
    }

    @Test("A plugin whose every warning is different is cut short too")
    func manyKinds() {
        let printer = printer(.warning)
        for number in 0..<5_000 {
            say(String(repeating: "x", count: number), to: printer)
        }
        #expect(text.value.split(separator: "\n").count < 300)
    }
}
