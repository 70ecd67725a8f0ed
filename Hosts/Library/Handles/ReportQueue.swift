internal import CLinux
internal import CTally
internal import Glibc
internal import Tally

/// What Tally has to say to the caller, until it is fetched.
///
/// Filled on any thread, emptied on one.
@safe final class ReportQueue: Sendable {
    /// One report.
    enum Report: Sendable {
        case session(run: String, SessionReport)
        case error(run: String, TrackerError)
        case log(LogLine)
        case missed(UInt64)
    }

    /// So many wait at most.
    private static let limit = 1_000

    private struct State {
        var waiting: [Report] = []
        var next = 0
        var missed: UInt64 = 0
        /// Nobody fetches any more.
        var isClosing = false
        /// The texts of the report that was fetched last.
        var lent: [CText] = []
    }

    private let state = Lock(State())
    /// Can be read while reports wait.
    let descriptor: Int32

    init() { descriptor = tally_eventfd() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// From now on nothing can be fetched: what is logged goes elsewhere.
    func beginClosing() { state.with { $0.isClosing = true } }

    /// Adds a log line; false when nobody will fetch it.
    func add(_ line: LogLine) -> Bool {
        guard !state.with({ $0.isClosing }) else { return false }
        add(.log(line))
        return true
    }

    func add(_ report: Report) {
        let isFirst = state.with { state -> Bool in
            guard state.waiting.count - state.next < Self.limit else {
                state.missed += 1
                return false
            }
            state.waiting.append(report)
            return state.waiting.count - state.next == 1
        }
        var one: UInt64 = 1
        if isFirst { _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size) }
    }

    /// Fills in the oldest report; false when there is none.
    func fetch(_ target: UnsafeMutablePointer<tally_report>) -> Bool {
        state.with { state in
            state.lent.removeAll()
            guard let report = next(&state) else { return false }
            unsafe report.write(to: target) { text in
                let copy = CText(text)
                state.lent.append(copy)
                return unsafe copy.pointer
            }
            return true
        }
    }

    private func next(_ state: inout State) -> Report? {
        if state.next < state.waiting.count {
            defer { state.next += 1 }
            return state.waiting[state.next]
        }
        state.waiting.removeAll(keepingCapacity: true)
        state.next = 0
        if state.missed > 0 {
            defer { state.missed = 0 }
            return .missed(state.missed)
        }
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
        return nil
    }
}

extension ReportQueue.Report {
    /// Fills in C's structure, but for its size; `lend` keeps a text for as long as the structure may be read.
    fileprivate func write(to target: UnsafeMutablePointer<tally_report>, _ lend: (String) -> UnsafePointer<CChar>) {
        var filled = unsafe tally_report()
        switch self {
        case .session(let run, let report):
            unsafe filled.kind = UInt32(TALLY_REPORT_SESSION)
            unsafe filled.run = unsafe lend(run)
            unsafe filled.session = report.session
            unsafe filled.timed_out = report.timedOut ? 1 : 0
            unsafe filled.delivered = report.delivered
            unsafe filled.kept = report.kept
            unsafe filled.dropped = report.dropped
        case .error(let run, let error):
            unsafe filled.kind = UInt32(TALLY_REPORT_ERROR)
            unsafe filled.run = unsafe lend(run)
            unsafe filled.plugin = unsafe lend(error.plugin)
            unsafe filled.code = unsafe lend(error.code)
            unsafe filled.message = unsafe lend(error.message)
            unsafe filled.details = unsafe lend(error.details)
        case .log(let line):
            unsafe filled.kind = UInt32(TALLY_REPORT_LOG)
            unsafe filled.level = line.level.rawValue
            unsafe filled.plugin = unsafe lend(line.instance)
            unsafe filled.message = unsafe lend(line.message)
        case .missed(let count):
            unsafe filled.kind = UInt32(TALLY_REPORT_MISSED)
            unsafe filled.dropped = count
        }
        unsafe SizedStructure.copy(filled, to: target)
    }
}
