/// How long the viewer waits from the load to the first picture, without the ads before it.
package struct StartupTime {
    private var loadNs: Int64 = 0
    private var heldSinceNs: Int64?
    private var heldNs: Int64 = 0

    /// Nothing is loaded.
    package init() {}

    /// The source is being opened: a hold that began before counts from now on.
    package mutating func load(atNs timeNs: Int64) {
        loadNs = timeNs
        heldNs = 0
        if heldSinceNs != nil { heldSinceNs = timeNs }
    }

    /// The main content waits for an ad.
    package mutating func hold(atNs timeNs: Int64) { heldSinceNs = heldSinceNs ?? timeNs }

    /// The main content goes on.
    package mutating func release(atNs timeNs: Int64) {
        guard let since = heldSinceNs else { return }
        heldNs += max(0, timeNs - since)
        heldSinceNs = nil
    }

    /// The time to a first picture that is shown now.
    package func milliseconds(atNs timeNs: Int64) -> Int64 { max(0, timeNs - loadNs - heldNs) / 1_000_000 }
}

/// A stopwatch that runs while the picture moves.
///
/// What moves is reported on several times a second: in a longer gap the process was stopped, and nothing moved.
package struct PlayedTime {
    private static let longestGapNs: Int64 = 3_000_000_000
    /// How long it ran, as of the last call of ``set(moving:atNs:)``.
    package private(set) var total: Int64 = 0
    private var since: Int64?

    /// Nothing moved yet.
    package init() {}

    /// The picture moves from now on, or stands.
    package mutating func set(moving: Bool, atNs timeNs: Int64) {
        if let since, timeNs - since <= Self.longestGapNs { total += timeNs - since }
        since = moving ? timeNs : nil
    }
}
