/// Why a session ends for a tracker.
public struct SessionEndReason: RawRepresentable, Hashable, Sendable {
    /// The number as the host gives it.
    public let rawValue: UInt32

    /// Takes a number as the host gives it; one that is not known is to be taken like ``shutdown``.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The video was unloaded.
    public static let unload = SessionEndReason(rawValue: 1)
    /// The tracker is about to be disabled.
    public static let disable = SessionEndReason(rawValue: 2)
    /// The tracker is about to be replaced by a newer file.
    public static let replace = SessionEndReason(rawValue: 3)
    /// The player run ends.
    public static let shutdown = SessionEndReason(rawValue: 4)
}
