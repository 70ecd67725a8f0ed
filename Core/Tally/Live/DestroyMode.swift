/// How a player run is ended.
public enum DestroyMode: Sendable, Equatable {
    /// Everything that is queued is handled and delivered first; takes at most `limit`, ms.
    case drain(limit: Int64 = 10_000)
    /// What is queued is dropped, as the guides' destroy does: track calls, and what waits for reporters unless other runs
    /// share them.
    case cancel
}

/// What became of a player run's last events and outputs.
public struct DestroyReport: Sendable, Equatable {
    /// Track calls that were queued and never handled.
    public var droppedEvents: UInt64 = 0
    /// Outputs that reporters sent, or gave up after trying.
    public var delivered: UInt64 = 0
    /// Outputs that reporters keep for later.
    public var kept: UInt64 = 0
    /// Outputs that were lost.
    public var droppedOutputs: UInt64 = 0
    /// Whether everything was done within the limit.
    public var inTime = true

    /// Nothing was dropped.
    package init() {}
}
