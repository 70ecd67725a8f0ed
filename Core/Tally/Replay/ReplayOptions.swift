/// How archives are replayed.
public struct ReplayOptions: Sendable {
    /// How many seconds of a run pass in one second; nil goes as fast as it can.
    public var speed: Double?
    /// Whether trackers that were enabled, disabled or configured during the recorded run are so again.
    public var asRecorded = false
    /// Whether the first line that cannot be used ends the replay.
    public var strict = false

    /// As fast as it can, with the trackers as configured, skipping damaged lines.
    public init() {}
}
