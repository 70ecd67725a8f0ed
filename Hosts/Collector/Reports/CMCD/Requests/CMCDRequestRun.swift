package import EventModel

/// Makes of the requests of one session id, as access logs have them, the calls that can be known.
///
/// Requests, renditions and figures; never `play`, `pause`, seeks or waits for data: a log does not show them, and what
/// it lets one guess is no report. The run says so by `cmcd_request_mode`.
package struct CMCDRequestRun: ReportInterpretation {
    /// How long nothing comes until a run is over, besides what is buffered, us.
    package static var patience: Int64 { 300_000_000 }
    /// What is believed at most of a buffer's length, ms.
    private static let longestBuffer: Int64 = 600_000

    private struct Held {
        let time: Int64
        let arrival: Int
        let received: Int64
        let request: LoggedRequest
        let record: CMCDRecord
    }

    package private(set) var isOver = false
    package private(set) var knownUntil: Int64 = 0
    private let options: CMCDOptions
    private var held: [Held] = []
    private var known: Set<String> = []
    private var arrivals = 0
    private var firstReceived: Int64?
    private var end: Int64?
    private var course = CMCDRequestCourse()

    package init(_ options: CMCDOptions = CMCDOptions()) {
        self.options = options
    }

    /// Takes a request: the text of a ``LoggedRequest``.
    package mutating func receive(
        _ report: String,
        at received: Int64,
        into calls: inout [TrackedCall]
    ) -> String? {
        advance(to: received, into: &calls)
        guard !isOver else { return "late" }
        guard let request = LoggedRequest(text: report) else { return "syntax" }
        let record: CMCDRecord
        switch Self.record(of: request) {
        case .success(let read?): record = read
        case .success: return "no_cmcd"
        case .failure(let refusal): return refusal.rawValue
        }
        guard known.insert(report).inserted else { return "duplicate" }
        guard request.end >= knownUntil - CMCDInterpretation.latest else { return "late" }
        arrivals += 1
        firstReceived = firstReceived ?? received
        let buffered = min(record.bufferLength ?? 0, Self.longestBuffer) * 1000
        end = max(end ?? received, received + Self.patience + buffered)
        let new = Held(time: request.end, arrival: arrivals, received: received, request: request, record: record)
        let place = held.lastIndex { ($0.time, $0.arrival) <= (new.time, new.arrival) }
        held.insert(new, at: (place ?? -1) + 1)
        return nil
    }

    package mutating func advance(to now: Int64, into calls: inout [TrackedCall]) {
        guard !isOver, let limit else { return }
        if now >= limit {
            play(held.count, into: &calls)
            if let call = course.end(at: knownUntil) { calls.append(call) }
            isOver = true
        } else if let holdBack = options.patience.holdBack {
            play((held.lastIndex { $0.received + holdBack <= now } ?? -1) + 1, into: &calls)
        }
    }

    package var nextDue: Int64? {
        guard !isOver else { return nil }
        let due = options.patience.holdBack.flatMap { wait in held.lazy.map { $0.received + wait }.min() }
        return [due, limit].compactMap(\.self).min()
    }

    private var limit: Int64? {
        guard let firstReceived, let end else { return nil }
        return min(end, firstReceived + options.patience.longestRun)
    }

    private mutating func play(_ count: Int, into calls: inout [TrackedCall]) {
        for next in held.prefix(count) {
            knownUntil = max(knownUntil, next.time)
            calls += course.play(next.request, next.record, at: knownUntil)
        }
        held.removeFirst(count)
    }

    private static func record(of request: LoggedRequest) -> Result<CMCDRecord?, CMCDRecord.Refusal> {
        do throws(StructuredParser.Fault) {
            let headers = request.headers.map { (name: $0.name, value: $0.value) }
            guard let said = try CMCDRequest(target: request.target, headers: headers) else { return .success(nil) }
            return Result { () throws(CMCDRecord.Refusal) in try CMCDRecord(said.dictionary, as: .request) }
        } catch {
            return .failure(CMCDRecord.Refusal(error))
        }
    }
}
