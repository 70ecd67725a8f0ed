/// What became of a session's outputs; comes with `videoUnloaded`.
public struct SessionReport: Sendable, Equatable {
    /// Number of the session in its run, from 1.
    public var session: UInt32 = 0
    /// Outputs that reporters sent, or gave up after trying.
    public var delivered: UInt64 = 0
    /// Outputs that reporters keep for later.
    public var kept: UInt64 = 0
    /// Outputs that were lost.
    public var dropped: UInt64 = 0
    /// Whether a reporter had not answered when the time limit ended the wait.
    public var timedOut = false

    /// Reports on a session.
    package init(
        session: UInt32,
        delivered: UInt64 = 0,
        kept: UInt64 = 0,
        dropped: UInt64 = 0,
        timedOut: Bool = false
    ) {
        self.session = session
        self.delivered = delivered
        self.kept = kept
        self.dropped = dropped
        self.timedOut = timedOut
    }
}
