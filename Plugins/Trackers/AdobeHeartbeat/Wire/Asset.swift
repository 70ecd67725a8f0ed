internal import PluginKit

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

    /// Counts an entry and gives the timestamp of the one before it.
    func count(_ type: EntryType, duration: Int64, timestamp: Int64) -> Int64 {
        counts[type.rawValue] += 1
        durations[type.rawValue] += duration
        return history.exchange(type, timestamp)
    }

    /// How many entries of a type there were.
    func totalCount(_ type: EntryType) -> Int64 { counts[type.rawValue] }

    /// How long entries of a type lasted, ms.
    func totalDuration(_ type: EntryType) -> Int64 { durations[type.rawValue] }
}

/// One showing of an ad.
struct Ad {
    var information: AdInformation
    var adBreak: AdBreakInformation
    /// Unique among all showings.
    var sessionID: String
    /// Which break of which video.
    var podID: String
    /// Offset of the break in the main content, s.
    var podSecond: Int64

    /// Whether a seek that leads to this place leads back into the same showing.
    func isSamePlace(_ podID: String, _ information: AdInformation) -> Bool {
        self.podID == podID && self.information.position == information.position
    }
}

/// One passage through a chapter.
final class Chapter {
    let information: ChapterInformation
    /// Which chapter of which video.
    let id: String
    /// Unique among all passages.
    let sessionID: String

    init(_ information: ChapterInformation, id: String, sessionID: String) {
        self.information = information
        self.id = id
        self.sessionID = sessionID
    }
}

/// The timestamp of the last entry of each type of one asset, for `l:event:prev_ts`.
final class TimestampHistory {
    private var timestamps = [Int64](repeating: -1, count: EntryType.allCases.count)

    /// Records the timestamp of an entry, ms, and gives the one before; -1 when there was none.
    func exchange(_ type: EntryType, _ timestamp: Int64) -> Int64 {
        let previous = timestamps[type.rawValue]
        timestamps[type.rawValue] = timestamp
        return previous
    }
}
