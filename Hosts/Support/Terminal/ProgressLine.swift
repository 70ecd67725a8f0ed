internal import System
internal import TextEncoding

/// A line on standard error that is written over again and again while work goes on.
///
/// It appears on a terminal only; into a file or a pipe it writes nothing.
package struct ProgressLine {
    private let terminal: Terminal
    private let write: (String) -> Void
    private var isShown = false

    /// Makes a line that is not shown yet.
    package init(terminal: Terminal = StandardStream.error.terminal) {
        self.init(terminal: terminal) { text in
            try? StandardStream.error.write(text)
        }
    }

    /// Makes a line whose control text goes to the closure.
    package init(terminal: Terminal, write: @escaping (String) -> Void) {
        self.terminal = terminal
        self.write = write
    }

    /// Shows the text instead of what was shown; what does not fit in the terminal's width is cut off.
    package mutating func show(_ text: String) {
        if !terminal.isTerminal { return }
        let line = PrintableText.escaped(String(text.prefix { !$0.isNewline }))
        write("\r\u{1B}[K" + line.prefix(max(terminal.width - 1, 1)))
        isShown = true
    }

    /// Takes the line away, so that something else can be written.
    package mutating func clear() {
        if !isShown { return }
        write("\r\u{1B}[K")
        isShown = false
    }
}

/// The progress line of a program whose threads also write log lines: one does not break into the other.
package final class SharedProgressLine: Sendable {
    private let line: Lock<ProgressLine>
    /// Whether standard error is a terminal, on which the line is shown.
    package let isShown: Bool
    private let writing: @Sendable (String) -> Void

    /// The line on standard error.
    package init() {
        let terminal = StandardStream.error.terminal
        isShown = terminal.isTerminal
        line = Lock(ProgressLine(terminal: terminal))
        writing = { text in try? StandardStream.error.write(text) }
    }

    /// No line, and what is written goes to the closure.
    package init(writing: @escaping @Sendable (String) -> Void) {
        isShown = false
        line = Lock(ProgressLine(terminal: Terminal(isTerminal: false, hasColour: false)))
        self.writing = writing
    }

    /// Shows the text instead of what was shown.
    package func show(_ text: String) {
        line.with { $0.show(text) }
    }

    /// Takes the line away.
    package func clear() {
        line.with { $0.clear() }
    }

    /// Writes whole lines in the progress line's place; it comes back when it is shown next.
    package func write(above text: String) {
        line.with { line in
            line.clear()
            writing(text)
        }
    }
}
