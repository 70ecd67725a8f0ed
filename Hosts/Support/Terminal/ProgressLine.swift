/// A line on standard error that is written over again and again while work goes on.
///
/// It appears on a terminal only; into a file or a pipe it writes nothing.
package struct ProgressLine: ~Copyable {
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
        let line = text.prefix { !$0.isNewline }
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
