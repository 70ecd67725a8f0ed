internal import PluginKit

/// A session's objects as values: what several things share stands in a list, and its place there says which one is
/// meant.
struct SessionParts {
    /// What entries are about, the main content first.
    var assets: [AssetParts] = []
    var chapters: [Chapter.Parts] = []
    /// Timestamps of each ad's entries, in the order of the ads' ids.
    var histories: [History] = []
    var current = 0
    var chapter: Int?
    var stashedAd: Int?
    var stashedChapter: Int?
    var timeline: [Item] = []

    /// The timestamps of an ad's entries.
    struct History {
        var ad = ""
        var timestamps: [Int64] = []
    }

    /// An asset, but for its history.
    struct AssetParts {
        var ad: Ad?
        var counts: [Int64] = []
        var durations: [Int64] = []
    }

    /// An item of the timeline.
    struct Item {
        var type = EntryType.load
        var asset = 0
        var chapter: Int?
        var timestamp: Int64 = 0
        var playhead: Int64 = 0
    }
}

extension SessionParts: StateValue {
    static var blank: SessionParts { SessionParts() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&assets)
        transfer.carry(&chapters)
        transfer.carry(&histories)
        transfer.carry(&current)
        transfer.carry(&chapter)
        transfer.carry(&stashedAd)
        transfer.carry(&stashedChapter)
        transfer.carry(&timeline)
    }
}

extension SessionParts.History: StateValue {
    static var blank: SessionParts.History { SessionParts.History() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&ad)
        transfer.carry(&timestamps)
    }
}

extension SessionParts.AssetParts: StateValue {
    static var blank: SessionParts.AssetParts { SessionParts.AssetParts() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&ad)
        transfer.carry(&counts)
        transfer.carry(&durations)
    }
}

extension SessionParts.Item: StateValue {
    static var blank: SessionParts.Item { SessionParts.Item() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&type)
        transfer.carry(&asset)
        transfer.carry(&chapter)
        transfer.carry(&timestamp)
        transfer.carry(&playhead)
    }
}

extension EntryType: StateValue {
    static var blank: EntryType { .load }
}
