internal import Archive
internal import EventModel
internal import PluginABI

/// A line that came before others of its run which it follows, with all that it says.
struct HeldLine {
    /// What the line says; an event's block is a copy, in words so that it is aligned.
    enum Content {
        case event([UInt64])
        case mark(time: Int64)
        case end(time: Int64, reason: String, dropped: UInt64)
    }

    let ordinal: UInt64
    /// Where it stood in the archive.
    let path: String
    let lineNumber: Int
    private let content: Content

    /// Copies a line; nil for a header, which nothing comes before.
    init?(_ line: ArchiveLine, ordinal: UInt64, path: String, lineNumber: Int) {
        self.ordinal = ordinal
        self.path = path
        self.lineNumber = lineNumber
        switch line {
        case .header: return nil
        case .event(let event):
            let block = unsafe event.block
            var words = [UInt64](repeating: 0, count: (block.count + 7) / 8)
            unsafe words.withUnsafeMutableBytes { unsafe $0.copyMemory(from: block) }
            content = .event(words)
        case .mark(let time): content = .mark(time: time)
        case .end(let time, let reason, let dropped): content = .end(time: time, reason: reason, dropped: dropped)
        }
    }

    /// Calls the closure with the line as it was decoded; an event is lent for the call.
    func withLine(_ body: (ArchiveLine) -> Void) {
        switch content {
        case .event(var words):
            unsafe words.withUnsafeMutableBytes { bytes in
                guard let block = unsafe bytes.bindMemory(to: tally_event.self).baseAddress else { return }
                unsafe body(.event(EventView(block)))
            }
        case .mark(let time): body(.mark(time: time))
        case .end(let time, let reason, let dropped): body(.end(time: time, reason: reason, dropped: dropped))
        }
    }
}
