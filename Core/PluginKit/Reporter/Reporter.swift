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
