internal import EventModel

/// Playhead samples between two reports that agree on where playback stood.
struct EstimatedPlayhead {
    /// How far apart two reports may be, us: three intervals of the usual length.
    static let longest: Int64 = 90_000_000
    /// How far the place may be from where the rate leads, ms.
    static let tolerance: Int64 = 1000

    /// The first of the two reports.
    struct Start {
        /// When it happened, us since 1970.
        let time: Int64
        /// Where playback stood, ms.
        let playhead: Int64
        /// The playback rate in thousandths.
        let rate: Int32
        /// Its number.
        let number: Int64?
    }

    private let start: Start
    private let end: Int64
    private var time: Int64

    /// Looks for the second report; nil when there is none that agrees, or something lies in between.
    init?(_ start: Start, _ queue: ReportQueue, _ numbers: CMCDNumbers, isContent: (CMCDRecord) -> Bool) {
        let next = queue.next(within: Self.longest) { held in
            held.record.event != .response && isContent(held.record)
                && (held.record.integer(.pt) != nil || Self.interrupts(held.record, start))
        }
        guard let next else { return nil }
        let report = queue.reports[next]
        guard !Self.interrupts(report.record, start), let place = report.record.integer(.pt) else { return nil }
        let moved = (report.time - start.time) / 1000 * Int64(start.rate) / 1000
        guard abs(place - start.playhead - moved) <= Self.tolerance else { return nil }
        if let first = start.number, let last = report.record.integer(.sn) {
            // A number that is missing is a report that was lost, and nobody knows what it said.
            guard last > first, last - first <= 1000 else { return nil }
            let waiting = Set(queue.reports.compactMap { $0.record.integer(.sn) })
            guard ((first + 1)..<last).allSatisfy({ numbers.contains($0) || waiting.contains($0) }) else { return nil }
        }
        self.start = start
        end = report.time
        time = start.time
    }

    /// Whether playback may not have gone on evenly up to a report.
    private static func interrupts(_ record: CMCDRecord, _ start: Start) -> Bool {
        if let state = record.state, state != .playing { return true }
        if let rate = record.rate, rate != start.rate { return true }
        switch record.event {
        case .adBreakStart, .adStart, .content, .error: return true
        default: return false
        }
    }

    var isDone: Bool { time + Limits.sampleIntervalMicroseconds >= end }

    /// The next sample before a time; nil when there is none.
    mutating func next(before limit: Int64) -> TrackedCall? {
        let next = time + Limits.sampleIntervalMicroseconds
        guard next < min(limit, end) else { return nil }
        time = next
        var state = ReportedState()
        state.playhead = start.playhead + (next - start.time) / 1000 * Int64(start.rate) / 1000
        let mark = TrackedCall.Attribute("cmcd_estimated", .bool(true))
        return TrackedCall(.playheadSample, at: next, state: state, attributes: [mark])
    }
}
