internal import EventModel
internal import PlayerReports
internal import Testing

/// Events of one session in the form of Open Analytics, and the calls that they make.
struct EventTimeline: Sendable, CustomTestStringConvertible {
    /// What it shows.
    let name: String
    /// The events: ms from the beginning, the event, its playhead and duration, and its payload when it has one.
    let events: [String]
    /// The calls: ms from the beginning, the call, and its attributes.
    let calls: [String]
    var options = OpenAnalyticsOptions()

    var testDescription: String { name }

    init(_ name: String, _ events: [String], makes calls: [String], unit: OpenAnalyticsOptions.Unit? = .milliseconds) {
        self.name = name
        self.events = events
        self.calls = calls
        options.unit = unit
    }

    /// An event on its way: its text, and when it was sent, us since 1970.
    struct Sent {
        let text: String
        let time: Int64

        init(_ line: String) {
            let parts = line.split(separator: " ", maxSplits: 4).map(String.init)
            let time = Timeline.beginning + (Int64(parts[0]) ?? 0)
            let payload = parts.count > 4 ? ",\"payload\":\(parts[4])" : ""
            text =
                "{\"event\":\"\(parts[1])\",\"sessionId\":\"s\",\"timestamp\":\(time),\"playhead\":\(parts[2]),"
                + "\"duration\":\(parts[3])\(payload)}"
            self.time = time * 1000
        }
    }

    /// The calls that events make which come at these times, and those at the end.
    static func play(_ sent: [(event: Sent, received: Int64)], _ options: OpenAnalyticsOptions) -> [String] {
        var interpretation = OpenAnalyticsInterpretation(options)
        var calls: [TrackedCall] = []
        for (event, received) in sent.sorted(by: { $0.received < $1.received }) {
            // Whoever drives it wakes it when it is due.
            while let due = interpretation.nextDue, due <= received { interpretation.advance(to: due, into: &calls) }
            _ = interpretation.receive(event.text, at: received, into: &calls)
        }
        while let due = interpretation.nextDue { interpretation.advance(to: due, into: &calls) }
        return calls.map(Timeline.described)
    }

    /// Plays the events as they are sent, each 40 ms on its way.
    func played(holdBack: Int64? = 5_000_000) -> [String] {
        var options = options
        options.patience.holdBack = holdBack
        return Self.play(events.map(Sent.init).map { ($0, $0.time + 40_000) }, options)
    }
}
