import Glibc

/// What stands behind an output: a terminal with a width and perhaps colours, or a file or pipe.
package struct Terminal: Sendable, Equatable {
    /// How a piece of text is emphasised.
    package enum Style: String, Sendable {
        /// Stronger.
        case bold = "1"
        /// Weaker.
        case dim = "2"
        /// For what failed.
        case red = "31"
        /// For what is well.
        case green = "32"
        /// For what needs attention.
        case yellow = "33"
        /// For names.
        case cyan = "36"
    }

    /// Whether a person looks at it.
    package let isTerminal: Bool
    /// Whether colours are wanted.
    package let hasColour: Bool
    /// The number of columns; 80 when nothing tells.
    package let width: Int

    /// Describes an output.
    package init(isTerminal: Bool, hasColour: Bool, width: Int = 80) {
        self.isTerminal = isTerminal
        self.hasColour = hasColour
        self.width = width
    }

    /// Looks at an open file descriptor and at the environment.
    ///
    /// Colours need a terminal, `NO_COLOR` unset or empty, and a `TERM` other than `dumb`.
    package init(descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        let refusesColour = !(Terminal.environment("NO_COLOR") ?? "").isEmpty
        hasColour = isTerminal && !refusesColour && Terminal.environment("TERM") != "dumb"
        var size = winsize()
        let answer = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        if answer == 0, size.ws_col > 0 {
            width = Int(size.ws_col)
        } else {
            width = Terminal.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
        }
    }

    /// The text with the style, or as it is where there are no colours.
    package func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A variable of the environment.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
