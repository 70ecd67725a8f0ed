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

    /// Counts a line of the run.
    mutating func count(_ line: ArchiveScan.Line) {
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
            run, begin, ReadableNumber.duration(microseconds: time), ReadableNumber.counted(sessions, "session"),
            ReadableNumber.counted(events, "event"), ending, asset ?? "-",
        ].joined(separator: "  ")
    }
}

/// `ls`: one line for each run, when it ends; runs without an end come last.
final class RunListing: ArchiveTool {
    private let json: Bool
    private var open: [RunOverview] = []

    init(json: Bool) {
        self.json = json
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        if case .header(let header) = line.content {
            if let before = open.firstIndex(where: { $0.run == line.run }) { try show(open.remove(at: before)) }
            open.append(RunOverview(header))
        }
        guard let index = open.lastIndex(where: { $0.run == line.run }) else { return }
        open[index].count(line)
        if case .end = line.content { try show(open.remove(at: index)) }
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        for run in open { try show(run) }
        open = []
    }

    private func show(_ run: RunOverview) throws(HostError) {
        if json { try print(json: run.json) } else { try print(run.text) }
    }
}

/// `show`: the lines of runs as people read them.
final class RunShow: ArchiveTool {
    private var last: String?

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        if last != line.run { try print("run \(line.run)") }
        last = line.run
        var text = ""
        switch line.content {
        case .header(let header):
            text += "  began \(RunOverview.text(header.epoch)) with Tally \(header.core)"
            for tracker in header.trackers { text += ", \(tracker.name) (\(tracker.plugin) \(tracker.version))" }
        case .mark: return
        case .end(let time, let reason, let dropped):
            text +=
                "  \(ReadableNumber.seconds(microseconds: time))  ended: \(reason)"
                + (dropped > 0 ? ", \(ReadableNumber.counted(dropped, "event was", "events were")) lost" : "")
        case .event(let event):
            text += "  \(ReadableNumber.seconds(microseconds: event.time))  \(event.typeName.string)"
            let members = unsafe try? JSONParser().parse(line.bytes)
            for name in ["state", "attributes"] {
                for member in members?[name]?.object ?? [:] { text += " \(member.key)=\(member.value.canonicalText)" }
            }
        }
        try print(text)
    }
}
