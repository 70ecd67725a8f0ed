public import TextEncoding

/// A reporter: takes what trackers say, and the events, and delivers them to one kind of place.
///
/// The kit makes one instance for each configured reporter and calls it on the one thread that it has. A reporter is
/// the only place for input and output, and answers no tracker. What it is lent is valid until the call returns.
public protocol Reporter: AnyObject, SendableMetatype {
    /// What the reporter is; the same each time.
    static var descriptor: ReporterDescriptor { get }

    /// Makes an instance; the host must not be called yet.
    init(host: ReporterHost)

    /// Takes over the configuration; called once, before everything else. Its form fits the descriptor's schema.
    func configure(_ configuration: JSONValue) throws(ConfigurationError)

    /// Which outputs it wants to take; read once, after ``configure(_:)``.
    var wants: OutputKinds { get }

    /// Opens what it delivers to; may be called again after ``disable()``.
    func enable() throws(ReporterFault)

    /// Delivers outputs and gives how many, from the first on; fewer than all means that it is full for now.
    ///
    /// After a fault all of them count as dropped.
    func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int

    /// Delivers or safely keeps what it took, then answers by ``ReporterHost/answer(_:delivered:kept:dropped:)``.
    ///
    /// The answer can be given in this call or later.
    func flush(_ request: FlushRequest)

    /// Ends the work and closes what ``enable()`` opened.
    func disable()
}

extension Reporter {
    /// Takes every configuration that fits the schema and uses nothing of it.
    public func configure(_ configuration: JSONValue) throws(ConfigurationError) {}

    /// Everything.
    public var wants: OutputKinds { .all }

    /// Does nothing.
    public func enable() throws(ReporterFault) {}

    /// Does nothing.
    public func disable() {}
}

/// A reporter that takes a new configuration in mid-run (`tally.configure/1`).
public protocol ReconfigurableReporter: Reporter {
    /// Takes over a new configuration, whole; its form fits the descriptor's schema.
    ///
    /// Called on the reporter's thread. One that cannot be used is refused by throwing; the reporter then goes on as
    /// before. What it wants to take is asked again after it.
    func reconfigure(_ configuration: JSONValue) throws(ConfigurationError)
}

/// A reporter with commands and queries of its own (`tally.command/1`).
public protocol CommandHandlingReporter: Reporter {
    /// The commands that there are, the same each time.
    static var commands: [CommandDescriptor] { get }

    /// Runs a command and gives its answer, on the reporter's thread.
    ///
    /// `command` is one of the names in ``commands``; `arguments` is an object without members when none were given.
    func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue
}

/// Asks a reporter to deliver or safely keep what it took; may be kept and answered later.
public struct FlushRequest: Sendable {
    package let token: UInt64
    /// The player run that is meant.
    public let playerRunID: String
    /// The session that is meant, 0 for the whole run.
    public let session: UInt32
    /// How long the host waits for the answer, ms.
    public let budgetMilliseconds: Int64
}

/// Says that a reporter could not open, write or send.
public struct ReporterFault: Error, Equatable, CustomStringConvertible {
    /// Whose fault it is.
    public enum Cause: Sendable {
        /// A file, socket or device failed.
        case device
        /// The reporter itself is wrong.
        case reporter
    }

    /// Whose fault it is.
    public let cause: Cause
    /// What went wrong, in one line: what, where, what to do next.
    public let message: String

    /// Makes a fault with one line of text.
    public init(_ message: String, cause: Cause = .device) {
        self.cause = cause
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
