internal import Coordinator

/// The progress line of a program whose threads also write log lines: one does not break into the other.
package final class SharedProgressLine: @unchecked Sendable {
    private let lock = Lock(())
    private var line: ProgressLine
    /// Whether standard error is a terminal, on which the line is shown.
    package let isShown: Bool
    private let writing: @Sendable (String) -> Void

    /// The line on standard error.
    package init() {
        let terminal = StandardStream.error.terminal
        isShown = terminal.isTerminal
        line = ProgressLine(terminal: terminal)
        writing = { text in try? StandardStream.error.write(text) }
    }

    /// Shows the text instead of what was shown.
    package func show(_ text: String) {
        lock.with { _ in line.show(text) }
    }

    /// Takes the line away.
    package func clear() {
        lock.with { _ in line.clear() }
    }

    /// Writes whole lines in the progress line's place; it comes back when it is shown next.
    package func write(above text: String) {
        lock.with { _ in
            line.clear()
            writing(text)
        }
    }
}
