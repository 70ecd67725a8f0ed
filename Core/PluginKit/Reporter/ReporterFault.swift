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
