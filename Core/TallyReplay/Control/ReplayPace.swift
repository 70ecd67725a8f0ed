/// How fast a replay goes.
public enum ReplayPace: Sendable, Equatable {
    /// So many seconds of a run pass in one second.
    case speed(Double)
    /// So many events pass in one second, whatever their times.
    case rate(Double)
}
