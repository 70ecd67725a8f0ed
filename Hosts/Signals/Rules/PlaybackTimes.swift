/// How long the viewer has waited for the main content: from the wish to play it, without the ads before it.
package struct StartupTime {
    private var isLoaded = false
    private var isWanted = false
    private var isHeld = false
    private var waitedNs: Int64 = 0
    private var sinceNs: Int64?

    /// Nothing is loaded, and nobody wants to play.
    package init() {}

    /// The source is being opened: what was waited for another one does not count.
    package mutating func load(atNs timeNs: Int64) {
        (isLoaded, waitedNs, sinceNs) = (true, 0, nil)
        follow(timeNs)
    }

    /// Playback is wanted from now on, or no more.
    package mutating func want(_ isWanted: Bool, atNs timeNs: Int64) {
        self.isWanted = isWanted
        follow(timeNs)
    }

    /// The main content waits for an ad.
    package mutating func hold(atNs timeNs: Int64) {
        isHeld = true
        follow(timeNs)
    }

    /// The main content goes on.
    package mutating func release(atNs timeNs: Int64) {
        isHeld = false
        follow(timeNs)
    }

    /// The wait for what is shown now.
    package func milliseconds(atNs timeNs: Int64) -> Int64 {
        (waitedNs + (sinceNs.map { max(0, timeNs - $0) } ?? 0)) / 1_000_000
    }

    private mutating func follow(_ timeNs: Int64) {
        if let sinceNs { waitedNs += max(0, timeNs - sinceNs) }
        sinceNs = isLoaded && isWanted && !isHeld ? timeNs : nil
    }
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
