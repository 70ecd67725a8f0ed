/// Types of heartbeat entries, with their names on the wire.
enum EntryType: Int, CaseIterable {
    case load, start, play, pause, buffer, complete, active
    case chapterStart, chapterComplete, bitrateChange, error, unload

    /// The value of `s:event:type`, which is also the record's kind.
    var name: StaticString {
        switch self {
        case .load: "load"
        case .start: "start"
        case .play: "play"
        case .pause: "pause"
        case .buffer: "buffer"
        case .complete: "complete"
        case .active: "active"
        case .chapterStart: "chapter_start"
        case .chapterComplete: "chapter_complete"
        case .bitrateChange: "bitrate_change"
        case .error: "error"
        case .unload: "unload"
        }
    }
}
