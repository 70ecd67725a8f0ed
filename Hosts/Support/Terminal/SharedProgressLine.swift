internal import System

/// The progress line of a program whose threads also write log lines: one does not break into the other.
package final class SharedProgressLine: Sendable {
    /// The line, which nobody may copy, where a lock can hold it.
    private final class Shown {
        var line: ProgressLine

        init(_ terminal: Terminal) {
            line = ProgressLine(terminal: terminal)
        }
    }

    private let shown: Lock<Shown>
    /// Whether standard error is a terminal, on which the line is shown.
    package let isShown: Bool
    private let writing: @Sendable (String) -> Void

    /// The line on standard error.
    package init() {
        let terminal = StandardStream.error.terminal
        isShown = terminal.isTerminal
        shown = Lock(Shown(terminal))
        writing = { text in try? StandardStream.error.write(text) }
    }

    /// No line, and what is written goes to the closure.
    package init(writing: @escaping @Sendable (String) -> Void) {
        isShown = false
        shown = Lock(Shown(Terminal(isTerminal: false, hasColour: false)))
        self.writing = writing
    }

    /// Shows the text instead of what was shown.
    package func show(_ text: String) {
        shown.with { $0.line.show(text) }
    }

    /// Takes the line away.
    package func clear() {
        shown.with { $0.line.clear() }
    }

    /// Writes whole lines in the progress line's place; it comes back when it is shown next.
    package func write(above text: String) {
        shown.with { shown in
            shown.line.clear()
            writing(text)
        }
    }
}
