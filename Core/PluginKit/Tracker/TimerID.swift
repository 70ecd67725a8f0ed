/// A timer that a tracker started; no two timers of an instance have the same.
public struct TimerID: RawRepresentable, Hashable, Sendable {
    /// The number that the host gave out.
    public let rawValue: UInt64

    /// Takes a number that the host gave out.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// How long a timer lives when it is not cancelled and does not fire.
public enum TimerScope: UInt32, Sendable {
    /// Until the session's end.
    case session = 1
    /// Until the tracker is disabled.
    case instance = 2
}
