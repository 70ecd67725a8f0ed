internal import Tally

/// What a measured track call hands over.
enum TrackCallPayload: String, CaseIterable {
    /// One string attribute and nothing else: nobody is asked.
    case oneString = "one-string"
    /// The whole player state and 20 attributes, ten of them text.
    case stateAndTwenty = "state-and-20"

    /// The text; spdlog gets the same.
    static let text = "checkout button pressed in the player overlay"

    /// The attributes of the larger one, for a caller that has them as data.
    static let texts = [
        ("campaign", "spring-2025-launch"), ("experiment", "player-overlay-variant-b"), ("content_type", "episode"),
        ("series", "The reference series"), ("device_model", "living-room-box-4k"), ("os_version", "12.4.1"),
        ("network_type", "ethernet"), ("country", "NO"), ("subtitle_language", "nb-NO"),
    ]
    static let numbers: [(String, Int64)] = [
        ("season", 4), ("episode", 11), ("position", 3), ("row", 7), ("column", 2), ("price_cents", 499),
        ("quantity", 1), ("retries", 0), ("latency_ms", 182), ("build", 20_250_615),
    ]

    /// Makes one call.
    @inline(__always)
    func call(_ run: PlayerRun) -> TrackResult {
        switch self {
        case .oneString: run.trackCustomEvent(Self.text)
        case .stateAndTwenty: Self.callWithTwenty(run)
        }
    }

    /// The name counts as the first of the 20.
    @inline(__always)
    private static func callWithTwenty(_ run: PlayerRun) -> TrackResult {
        run.trackCustomEvent(text) { event in
            event.set("campaign", "spring-2025-launch")
            event.set("experiment", "player-overlay-variant-b")
            event.set("content_type", "episode")
            event.set("series", "The reference series")
            event.set("device_model", "living-room-box-4k")
            event.set("os_version", "12.4.1")
            event.set("network_type", "ethernet")
            event.set("country", "NO")
            event.set("subtitle_language", "nb-NO")
            event.set("season", Int64(4))
            event.set("episode", Int64(11))
            event.set("position", Int64(3))
            event.set("row", Int64(7))
            event.set("column", Int64(2))
            event.set("price_cents", Int64(499))
            event.set("quantity", Int64(1))
            event.set("retries", Int64(0))
            event.set("latency_ms", Int64(182))
            event.set("build", Int64(20_250_615))
        }
    }

    /// Who is asked for state.
    func delegate() -> (any PlayerDelegate)? {
        self == .oneString ? nil : SteadyPlayer()
    }
}
