/// What a tracker did so far.
public struct TrackerStatistics: Sendable, Equatable {
    /// Events that it was given.
    public var events: UInt64 = 0
    /// Timers that fired.
    public var timers: UInt64 = 0
    /// Records that it emitted.
    public var records: UInt64 = 0
    /// Beacons that it emitted.
    public var beacons: UInt64 = 0
    /// Records and beacons that no reporter got, because the viewer has not given consent.
    public var withheld: UInt64 = 0
    /// Errors that it returned.
    public var errors: UInt64 = 0

    /// Nothing happened yet.
    public init() {}
}
