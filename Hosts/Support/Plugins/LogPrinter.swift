package import Tally
internal import TextEncoding

/// Hands on log lines, to standard error or whoever wants them, from any thread, and counts the errors of each plugin
/// instance.
///
/// Of warnings and errors of a plugin that say the same only the first are shown, unless everything is.
@safe package final class LogPrinter: @unchecked Sendable {
    private let lowest: LogLine.Level
    private let output: @Sendable (LogLine) -> Void

    private struct Counts {
        var errors: [String: Int] = [:]
        var repeated = RepeatedLines()
    }

    private let counts = Lock(Counts())

    /// Shows what `--quiet` and `--verbose` ask for, above a progress line if there is one.
    package convenience init(program: String, arguments: CommandLineArguments, above line: SharedProgressLine? = nil) {
        self.init(program: program, lowest: Self.lowest(arguments), terminal: StandardStream.error.terminal) { text in
            if let line { line.write(above: text) } else { try? StandardStream.error.write(text) }
        }
    }

    /// Shows what `--quiet` of a command without plugins asks for.
    package convenience init(ofCommand arguments: CommandLineArguments) {
        let lowest: LogLine.Level = arguments[HostSettings.quiet] ? .warning : .info
        self.init(program: arguments.program, lowest: lowest, terminal: StandardStream.error.terminal) {
            try? StandardStream.error.write($0)
        }
    }

    private static func lowest(_ arguments: CommandLineArguments) -> LogLine.Level {
        arguments[HostSettings.quiet] ? .warning : arguments[HostSettings.verbose] ? .debug : .info
    }

    /// Shows lines from a level on; they go to the closure.
    package convenience init(
        program: String,
        lowest: LogLine.Level,
        terminal: Terminal,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.init(lowest: lowest) { line in
            let word =
                switch line.level {
                case .debug: "debug: "
                case .info: ""
                case .warning: terminal.styled("warning: ", .yellow)
                case .error: terminal.styled("error: ", .red)
                }
            let text = (line.instance.isEmpty ? "" : "\(line.instance): ") + line.message
            write("\(program): \(word)\(PrintableText.escaped(text))\n")
        }
    }

    /// Hands on lines from a level on, as they are.
    package init(lowest: LogLine.Level, to output: @escaping @Sendable (LogLine) -> Void) {
        self.lowest = lowest
        self.output = output
    }

    /// Writes a line of the core or of a plugin.
    package func write(_ line: LogLine) {
        let fate = counts.with { counts in
            if line.level == .error { counts.errors[line.instance, default: 0] += 1 }
            return lowest == .debug ? .shown : counts.repeated.count(line)
        }
        guard fate != .counted else { return }
        let note = fate == .lastShown ? " (more of the same is only counted)" : ""
        show(LogLine(level: line.level, instance: line.instance, message: line.message + note))
    }

    /// Says how many lines were only counted; to be called once, when no plugin says anything any more.
    package func showHidden() {
        for (instance, count) in counts.with({ $0.repeated.hidden }) {
            let what = ReadableNumber.counted(count, "more line that says", "more lines that say")
            show(.warning, "\(instance): \(what) what was said before; --verbose shows all")
        }
    }

    /// Writes a line of the host itself.
    package func show(_ level: LogLine.Level, _ text: String) {
        show(LogLine(level: level, instance: "", message: text))
    }

    private func show(_ line: LogLine) {
        if line.level.rawValue >= lowest.rawValue { output(line) }
    }

    /// Says what ends the program, and how it ends.
    package func report(_ error: HostError) -> ExitCode {
        for message in error.messages { show(.error, message) }
        return error.exitCode
    }

    /// How many errors a plugin instance has told of.
    package func errors(of instance: String) -> Int {
        counts.with { $0.errors[instance] ?? 0 }
    }
}
