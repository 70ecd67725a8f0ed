internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// `stats`: what archives hold, together.
final class ArchiveStatistics: ArchiveTool {
    private let json: Bool
    private var runs = 0
    private var ended = 0
    private var sessions = 0
    private var events = 0
    private var bytes = 0
    private var time: Int64 = 0
    private var first = Int64.max
    private var last = Int64.min
    private var types: [String: Int] = [:]
    private var order = RunOrder()
    /// Where the open runs stand.
    private var open: [String: (epoch: Int64, time: Int64)] = [:]

    init(json: Bool) {
        self.json = json
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        bytes += unsafe line.bytes.count + 1
        guard order.check(line, scan) else { return }
        if case .header(let header) = line.content {
            close(line.run)
            runs += 1
            open[line.run] = (header.epoch, 0)
        }
        if let reached = line.content.time, let run = open[line.run] { open[line.run]?.time = max(run.time, reached) }
        switch line.content {
        case .header, .mark: break
        case .event(let event):
            events += 1
            sessions += event.type == .videoLoad ? 1 : 0
            types[event.typeName.string, default: 0] += 1
        case .end:
            ended += 1
            close(line.run)
        }
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        for run in Array(open.keys) { close(run) }
        let byType = types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let begin = runs == 0 ? "-" : RunOverview.text(first)
        let end = runs == 0 ? "-" : RunOverview.text(last)
        if json {
            var counts = JSONObject()
            for (type, count) in byType { counts[type] = .int(Int64(count)) }
            let value: JSONValue = [
                "archives": .int(Int64(names.count)), "bytes": .int(Int64(bytes)), "runs": .int(Int64(runs)),
                "open_runs": .int(Int64(runs - ended)), "sessions": .int(Int64(sessions)),
                "events": .int(Int64(events)), "run_time_us": .int(time), "from": .string(begin), "to": .string(end),
                "types": .object(counts),
            ]
            return try print(json: value)
        }
        var rows = [
            ("archives", ReadableNumber.grouped(names.count)), ("plain text", ReadableNumber.bytes(bytes)),
            ("player runs", ReadableNumber.grouped(runs)), ("without an end", ReadableNumber.grouped(runs - ended)),
            ("sessions", ReadableNumber.grouped(sessions)), ("events", ReadableNumber.grouped(events)),
            ("run time", ReadableNumber.duration(microseconds: time)), ("from", begin), ("to", end),
        ]
        rows += byType.map { ("  " + $0.key, ReadableNumber.grouped($0.value)) }
        for line in TextTable.aligned(rows.map { [$0.0, $0.1] }) { try print(line) }
    }

    private func close(_ name: String) {
        guard let run = open.removeValue(forKey: name) else { return }
        time += run.time
        first = min(first, run.epoch)
        last = max(last, run.epoch + run.time)
    }
}
