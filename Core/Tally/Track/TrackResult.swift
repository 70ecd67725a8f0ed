/// What became of a track call.
public enum TrackResult: Sendable, Equatable {
    /// The event is queued.
    case queued
    /// The event is queued without this many attributes, which break a limit of docs/limits.md.
    case queuedWithout(attributes: Int)
    /// The queue is full: the event is refused, and the next event that gets in says so.
    case refused
    /// The run was destroyed.
    case ended
}
