import EventModel
import PlayerReports

// Used by the one thread that the fuzzer has.
nonisolated(unsafe) private let memory = UnsafeMutableRawPointer.allocate(byteCount: Limits.eventBytes, alignment: 8)

/// The calls of reports that come 2 s after each other, held to what an interpretation promises.
func calls<Interpretation: ReportInterpretation>(
    of reports: [String],
    _ begin: Interpretation,
    at first: Int64 = 1_790_000_000_000_000
) -> [TrackedCall] {
    var run = begin
    var calls: [TrackedCall] = []
    var now = first
    for report in reports {
        let known = run.knownUntil
        let before = calls.count
        _ = run.receive(report, at: now, into: &calls)
        check(calls[before...], after: known, before: run.knownUntil)
        now += 2_000_000
    }
    while let due = run.nextDue {
        let known = run.knownUntil
        let before = calls.count
        run.advance(to: due, into: &calls)
        check(calls[before...], after: known, before: run.knownUntil)
    }
    if !run.isOver, !calls.isEmpty { fatalError("it never ends") }
    return calls
}

/// None is before what was known, or before one that was made, and each can be told to trackers.
private func check(_ calls: ArraySlice<TrackedCall>, after known: Int64, before next: Int64) {
    var last = known
    for call in calls {
        if call.time < last { fatalError("a call at \(call.time), behind \(last)") }
        last = call.time
        var writer = unsafe BlockWriter(base: memory, capacity: Limits.eventBytes)
        _ = call.write(to: &writer)
    }
    if next < last { fatalError("known until \(next), and a call at \(last)") }
}
