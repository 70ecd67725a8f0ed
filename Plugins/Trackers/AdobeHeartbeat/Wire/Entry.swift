/// One entry as it goes out: one request.
struct Entry {
    let type: EntryType
    /// What it is about: the main content or an ad.
    let asset: Asset
    /// The chapter that it belongs to.
    let chapter: Chapter?
    /// How many entries of this type the asset has had, this one included.
    let totalCount: Int64
    /// ms.
    let duration: Int64
    /// Of all entries of this type of the asset, ms.
    let totalDuration: Int64
    /// s.
    let playhead: Int64
    /// Wall clock, ms since 1970.
    let timestamp: Int64
    /// The timestamp of the entry of this type before it, ms; -1 when there was none.
    let previousTimestamp: Int64
    /// What the date in the entry is made of: all entries of a quantum have the same, ms since 1970.
    let dateTimestamp: Int64
    /// Of an error.
    var errorID = ""
    /// Of an error.
    var errorSource: StaticString = ""
}
