/// An error of a tracker that concerns the player; also in the output, as a record of the kind `tracker_error`.
public struct TrackerError: Sendable, Equatable {
    /// The configured name of the tracker.
    public let plugin: String
    /// The tracker's code for it.
    public let code: String
    /// What happened.
    public let message: String
    /// More of it; may be empty.
    public let details: String
}
