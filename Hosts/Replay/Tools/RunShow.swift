internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// `show`: the lines of runs as people read them.
final class RunShow: ArchiveTool {
    private var last: String?

    func take(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        var text = ""
        if last != line.run { text = "run \(line.run)\n" }
        last = line.run
        switch line.content {
        case .header(let header):
            text += "  began \(RunOverview.text(header.epoch)) with Tally \(header.core)"
            for tracker in header.trackers { text += ", \(tracker.name) (\(tracker.plugin) \(tracker.version))" }
        case .mark: return try print(text)
        case .end(let time, let reason, let dropped):
            text += "  \(Self.text(time))  ended: \(reason)" + (dropped > 0 ? ", \(dropped) events were lost" : "")
        case .event(let event):
            text += "  \(Self.text(event.time))  \(event.typeName.string)"
            let members = unsafe try? JSONParser().parse(line.bytes)
            for name in ["state", "attributes"] {
                for member in members?[name]?.object ?? [:] {
                    text += " \(member.key)=\(member.value.canonicalText)"
                }
            }
        }
        try print(text + "\n")
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {}

    /// Seconds with all microseconds.
    private static func text(_ microseconds: Int64) -> String {
        let rest = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
    }
}
