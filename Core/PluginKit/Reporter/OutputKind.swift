/// What an output is.
public enum OutputKind: UInt32, Sendable {
    /// A player event.
    case event = 1
    /// A record of a tracker.
    case record = 2
    /// A beacon of a tracker.
    case beacon = 3
    /// A session begins.
    case sessionBegin = 4
    /// A session ends.
    case sessionEnd = 5
    /// A player run begins.
    case runBegin = 6
    /// A player run ends.
    case runEnd = 7
    /// Outputs before this one were lost.
    case gap = 8
}
