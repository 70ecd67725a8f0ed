internal import HostSupport
public import Tally

/// What an ``EmbeddedTally`` is opened with; all of it may be left out.
public struct EmbeddingOptions: Sendable {
    /// The path of a `tally.json5`.
    public var configuration: String?
    /// Which of its instances run, or plugins by name, separated by commas; nil is all of the configuration.
    public var plugins: String?
    /// Where plugins are looked for first.
    public var pluginFolders: [String] = []
    /// `KEY=VALUE`, each one key of the configuration.
    public var settings: [String] = []
    /// The folder that runs are recorded into, each to a file of its own; it is made when its name ends in a slash.
    ///
    /// Nil is what the configuration says.
    public var archive: String?
    /// The file that keeps trackers' persistent values; nil is what the configuration says.
    public var store: String?
    /// The Unix socket that commands are taken on; nil is what the configuration says.
    public var control: String?
    /// A word of whoever opens it: of those with the same word only one may be open in a process.
    public var claim: String?
    /// Whether runs that a crash cut off are brought to their end, where the configuration does not say no.
    public var recovers = true
    /// Whether a plugin in which the process dies is kept out from then on, which needs signal handlers.
    public var watchesCrashes = false
    /// Which log lines are handed on.
    public var lowestLevel = LogLine.Level.warning
    /// What lines on standard error begin with.
    public var program = "libtally"
    /// Takes log lines, on any thread; nil writes them to standard error.
    public var log: (@Sendable (LogLine) -> Void)?

    /// Options that say nothing.
    public init() {}
}

/// Why telemetry cannot be opened, a run not be begun, or a command not be carried out.
public struct EmbeddingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What sort of thing is wrong: the exit code that Tally's programs end with for it, or one of these.
    public let code: Int32
    /// What, where and what to do: a line for each problem.
    public let message: String

    /// The claim is another one's in this process.
    public static let taken: Int32 = 1001
    /// The process ends, or is a copy that `fork` made.
    public static let ended: Int32 = 1002

    /// Describes an error.
    public init(code: Int32, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension EmbeddingOptions {
    /// Writes warnings and errors to standard error: what has to be said when nobody fetches log lines any more.
    package static func warningsOnStandardError(of program: String) -> @Sendable (LogLine) -> Void {
        let printer = LogPrinter.onStandardError(of: program, .warning)
        return { printer.write($0) }
    }
}

extension LogPrinter {
    static func onStandardError(of program: String, _ lowest: LogLine.Level) -> LogPrinter {
        LogPrinter(program: program, lowest: lowest, terminal: StandardStream.error.terminal) {
            try? StandardStream.error.write($0)
        }
    }
}
