internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// What `ls` and `stats` tell of one run.
struct RunOverview {
    let run: String
    let epoch: Int64
    private(set) var time: Int64 = 0
    private(set) var sessions = 0
    private(set) var events = 0
    private(set) var bytes = 0
    private(set) var asset: String?
    /// Why it ended; nil as long as it has no end.
    private(set) var end: String?
    private(set) var isErased = false

    init(_ header: ArchiveHeader) {
        run = header.run
        epoch = header.epoch
        isErased = header.isErased
    }

    /// Takes a line of the run.
    mutating func take(_ line: ArchiveScan.Line) {
        bytes += unsafe line.bytes.count + 1
        time = max(time, line.content.time ?? 0)
        switch line.content {
        case .header, .mark: break
        case .event(let event):
            events += 1
            guard event.type == .videoLoad else { return }
            sessions += 1
            asset = asset ?? event.attributes.first { $0.key == .videoID }?.string?.string
        case .end(_, let reason, _): end = reason
        }
    }

    /// When it began, as text.
    var begin: String { Self.text(epoch) }

    /// A wall clock time as text, UTC.
    static func text(_ microseconds: Int64) -> String {
        let buffer = ByteBuffer()
        CivilDate(microsecondsSinceEpoch: microseconds).appendISO8601(to: buffer, fractionDigits: 0)
        return buffer.string
    }

    /// How it ended, as text.
    var ending: String { isErased ? "erased" : end ?? "open" }

    var json: JSONValue {
        [
            "run": .string(run), "begin": .string(begin), "epoch_us": .int(epoch), "run_time_us": .int(time),
            "sessions": .int(Int64(sessions)), "events": .int(Int64(events)), "bytes": .int(Int64(bytes)),
            "asset": asset.map { .string($0) } ?? .null, "end": .string(ending),
        ]
    }

    var text: String {
        [
            run, begin, ReadableNumber.duration(microseconds: time), "\(sessions) sessions", "\(events) events",
            ending, asset ?? "-",
        ].joined(separator: "  ")
    }
}
