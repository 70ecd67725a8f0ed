import Glibc
package import Tally

/// Writes log lines to standard error, from any thread, and counts the errors of each plugin instance.
@safe package final class LogPrinter: @unchecked Sendable {
    private let program: String
    private let lowest: LogLine.Level
    private let terminal: Terminal
    private let write: @Sendable (String) -> Void
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var counts: [String: Int] = [:]

    /// Shows what `--quiet` and `--verbose` ask for.
    package convenience init(program: String, arguments: CommandLineArguments) {
        let lowest: LogLine.Level =
            arguments.isSet("quiet") ? .warning : arguments.isSet("verbose") ? .debug : .info
        self.init(program: program, lowest: lowest, terminal: StandardStream.error.terminal) { text in
            try? StandardStream.error.write(text)
        }
    }

    /// Shows what `--quiet` and `--verbose` ask for, above a progress line.
    package convenience init(program: String, arguments: CommandLineArguments, above progress: SharedProgressLine) {
        let lowest: LogLine.Level =
            arguments.isSet("quiet") ? .warning : arguments.isSet("verbose") ? .debug : .info
        self.init(program: program, lowest: lowest, terminal: StandardStream.error.terminal) { text in
            progress.write(above: text)
        }
    }

    /// Shows lines from a level on; they go to the closure.
    package init(
        program: String,
        lowest: LogLine.Level,
        terminal: Terminal,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.program = program
        self.lowest = lowest
        self.terminal = terminal
        self.write = write
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Writes a line of the core or of a plugin.
    package func take(_ line: LogLine) {
        if line.level == .error {
            unsafe pthread_mutex_lock(mutex)
            counts[line.instance, default: 0] += 1
            unsafe pthread_mutex_unlock(mutex)
        }
        show(line.level, (line.instance.isEmpty ? "" : "\(line.instance): ") + line.message)
    }

    /// Writes a line of the host itself.
    package func show(_ level: LogLine.Level, _ text: String) {
        guard level.rawValue >= lowest.rawValue else { return }
        // A plugin's text must neither begin a line that looks like another's nor move the cursor.
        let clean = String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        )
        let word =
            switch level {
            case .debug: "debug: "
            case .info: ""
            case .warning: terminal.styled("warning: ", .yellow)
            case .error: terminal.styled("error: ", .red)
            }
        write("\(program): \(word)\(clean)\n")
    }

    /// How many errors a plugin instance has told of.
    package func errors(of instance: String) -> Int {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return counts[instance] ?? 0
    }
}
