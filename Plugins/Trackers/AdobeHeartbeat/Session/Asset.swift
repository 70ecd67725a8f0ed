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

    /// The passage as values.
    struct Parts {
        var information = ChapterInformation.blank
        var id = ""
        var sessionID = ""
    }

    /// Goes on with a passage that was saved.
    init(_ parts: Parts) {
        information = parts.information
        id = parts.id
        sessionID = parts.sessionID
    }

    /// What it consists of.
    var parts: Parts {
        Parts(information: information, id: id, sessionID: sessionID)
    }
}

extension Chapter.Parts: StateValue {
    static var blank: Chapter.Parts { Chapter.Parts() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&information)
        transfer.carry(&id)
        transfer.carry(&sessionID)
    }
}
