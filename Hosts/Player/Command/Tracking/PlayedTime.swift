/// A stopwatch that runs while the picture moves.
struct PlayedTime {
    /// How long it ran, as of the last call of ``set(moving:atNs:)``.
    private(set) var total: Int64 = 0
    private var since: Int64?

    /// Lets it run or stand from a time on.
    mutating func set(moving: Bool, atNs timeNs: Int64) {
        if let since { total += timeNs - since }
        since = moving ? timeNs : nil
    }
}
