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
