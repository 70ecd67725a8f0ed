/// Says which lines of a script are due; each is due once.
struct ScriptClock: Sendable {
    private var waiting: [PlaybackScript.Line]

    init(_ lines: [PlaybackScript.Line]) {
        waiting = lines
    }

    /// The lines that were never due.
    var rest: [PlaybackScript.Line] { waiting }

    /// The next line that is due, in the order of the script; ask again until there is none.
    ///
    /// One at a time, because what a line does can move the playhead.
    mutating func next(sinceStartMs: Int64, playheadMs: Int64?) -> PlaybackScript.Line? {
        let due = waiting.firstIndex { line in
            switch line.time {
            case .sinceStart(let milliseconds): sinceStartMs >= milliseconds
            case .playhead(let milliseconds): playheadMs.map { $0 >= milliseconds } ?? false
            }
        }
        return due.map { waiting.remove(at: $0) }
    }
}
