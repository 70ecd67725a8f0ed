/// A stretch of the timeline in which one thing went on.
struct TimelineItem {
    let type: EntryType
    let asset: Asset
    let chapter: Chapter?
    /// When it began, wall clock, ms since 1970.
    let timestamp: Int64
    /// Where playback stood then, s.
    let playhead: Int64

    /// Whether both are told as one: same type, same showing, same passage.
    func isSameGroup(as other: TimelineItem) -> Bool {
        type == other.type && asset === other.asset && chapter === other.chapter
    }
}
