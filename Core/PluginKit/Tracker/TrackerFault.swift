/// Says that a tracker could not handle what it was handed; the host logs it and disables after many in a row.
public struct TrackerFault: Error, Equatable, CustomStringConvertible {
    /// What went wrong, in one line.
    public let message: String

    /// Makes a fault with one line of text: what, and where.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
