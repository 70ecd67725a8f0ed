/// A player run that a crash cut off, and that was brought to its end.
public struct RecoveredRun: Sendable, Equatable {
    /// The archive's file.
    public let archive: String
    /// The run's id.
    public let run: String
    /// When it was last seen, us since 1970: the time of the archive's last complete line.
    public let lastSeen: Int64
    /// Records that its trackers emitted from its begin on.
    public let records: UInt64
    /// Beacons that its trackers emitted from its begin on; reporters leave out those that they had.
    public let beacons: UInt64
    /// Bytes behind the last complete line: what was being written when the player died.
    public let lostBytes: Int
}
