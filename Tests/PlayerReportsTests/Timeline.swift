internal import EventModel
internal import PlayerReports
internal import Testing

/// Reports of one session id, and the calls that they make.
struct Timeline: Sendable, CustomTestStringConvertible {
    /// What it shows.
    let name: String
    /// The reports: ms from the beginning, then the record without `sid`, `ts` and `v`.
    let reports: [String]
    /// The calls: ms from the beginning, the call, and its attributes.
    let calls: [String]
    var options = CMCDOptions()

    var testDescription: String { name }

    /// The beginning, ms since 1970.
    static let beginning: Int64 = 1_790_000_000_000

    init(_ name: String, _ reports: [String], makes calls: [String], _ options: CMCDOptions = CMCDOptions()) {
        self.name = name
        self.reports = reports
        self.calls = calls
        self.options = options
    }

    /// A report on its way.
    struct Sent {
        let text: String
        /// When it was sent, us since 1970.
        let time: Int64

        /// - Parameter line: the time, a space, and the record.
        init(_ line: String) {
            let parts = line.split(separator: " ", maxSplits: 1)
            let time = Timeline.beginning + (Int64(parts[0]) ?? 0)
            text = "\(parts[1]),sid=\"7c1e\",ts=\(time),v=2"
            let record = try? CMCDRecord(text, as: .event)
            self.time = (time + (record?.integer(.ttlb) ?? 0)) * 1000
        }
    }

    var sent: [Sent] { reports.map(Sent.init) }

    /// The calls that reports make which take some time to come, and those at the end.
    static func play(_ sent: [(report: Sent, received: Int64)], _ options: CMCDOptions) -> [String] {
        var interpretation = CMCDInterpretation(options)
        var calls: [TrackedCall] = []
        for (report, received) in sent.sorted(by: { $0.received < $1.received }) {
            // Whoever drives it wakes it when it is due.
            while let due = interpretation.nextDue, due <= received { interpretation.advance(to: due, into: &calls) }
            _ = interpretation.receive(report.text, at: received, into: &calls)
        }
        while let due = interpretation.nextDue { interpretation.advance(to: due, into: &calls) }
        return calls.map(described)
    }

    /// Plays the reports as they are sent, each 40 ms on its way.
    func played(holdBack: Int64? = 5_000_000) -> [String] {
        var options = options
        options.patience.holdBack = holdBack
        return Self.play(sent.map { ($0, $0.time + 40_000) }, options)
    }

    /// A call as the tables say it: without the time that a clock's correction has kept.
    static func described(_ call: TrackedCall) -> String {
        let name = EventTypeNames.name(of: call.type)?.string ?? "unknown"
        var parts = ["\((call.time - beginning * 1000) / 1000)", name]
        if let playhead = call.state.playhead, call.type == .playheadSample { parts.append("at=\(playhead)") }
        if let wall = call.state.liveWall, call.type == .playheadSample { parts.append("wall=\(wall)") }
        parts += call.attributes.map { "\($0.name)=\(described($0.value))" }
        return parts.joined(separator: " ")
    }

    private static func described(_ value: PlainValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .list(let values): "[\(values.map(described).joined(separator: " "))]"
        case .bytes(let bytes): "\(bytes)"
        }
    }
}
