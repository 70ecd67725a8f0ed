/// What entries are about: the main content, or one showing of an ad; counts its entries.
final class Asset {
    /// The ad; nil for the main content.
    let ad: Ad?
    let history: TimestampHistory
    private var counts = [Int64](repeating: 0, count: EntryType.allCases.count)
    private var durations = [Int64](repeating: 0, count: EntryType.allCases.count)

    /// Begins to count; the history goes on when the same ad is shown again.
    init(ad: Ad?, history: TimestampHistory) {
        self.ad = ad
        self.history = history
    }

    /// Goes on counting where another one stood.
    init(_ parts: SessionParts.AssetParts, history: TimestampHistory) {
        ad = parts.ad
        self.history = history
        if parts.counts.count == counts.count, parts.durations.count == durations.count {
            counts = parts.counts
            durations = parts.durations
        }
    }

    /// The ad and what was counted; the history is kept apart, as showings share it.
    var parts: SessionParts.AssetParts {
        SessionParts.AssetParts(ad: ad, counts: counts, durations: durations)
    }

    /// Counts an entry and gives the timestamp of the one before it.
    func count(_ type: EntryType, duration: Int64, timestamp: Int64) -> Int64 {
        counts[type.rawValue] += 1
        durations[type.rawValue] += duration
        return history.exchange(type, timestamp)
    }

    /// How many entries of a type there were.
    func totalCount(_ type: EntryType) -> Int64 {
        counts[type.rawValue]
    }

    /// How long entries of a type lasted, ms.
    func totalDuration(_ type: EntryType) -> Int64 {
        durations[type.rawValue]
    }
}
