/// The sizes that Tally enforces; docs/limits.md explains them.
public enum Limits {
    /// Bytes of an event block.
    public static let eventBytes = 16 * 1024
    /// Bytes of a record's attributes and texts.
    public static let recordBytes = 256 * 1024
    /// Bytes of a beacon's texts.
    public static let beaconBytes = 1024 * 1024
    /// Attributes of an event or a record.
    public static let attributes = 200
    /// Bytes of an attribute's name.
    public static let nameBytes = 255
    /// Bytes of a text or of a list with its texts.
    public static let valueBytes = 64 * 1024
    /// How deep lists may be nested.
    public static let listDepth = 8
    /// Timers that one tracker instance may have running.
    public static let timers = 10_000
    /// Errors in a row that disable a tracker.
    public static let errorsInRow = 20
    /// How far ahead a timer's deadline lies at least, us.
    public static let timerLeadMicroseconds: Int64 = 1_000
    /// Time between two playhead samples, us.
    public static let sampleIntervalMicroseconds: Int64 = 250_000
}
