/// Says which break is due; each is due once, and those that repeat once at each of their places.
package struct AdBreakClock: Sendable {
    /// A break that is due.
    package struct Due: Sendable, Equatable {
        /// The break.
        package let scheduled: ScheduledBreak
        /// Its index among all breaks by their place, from 1.
        package let position: Int
    }

    private struct Entry: Sendable {
        var scheduled: ScheduledBreak
        var isOver = false
    }

    /// The shortest time between two showings of a break that repeats.
    private static let shortestRepeatMs: Int64 = 1000

    private var entries: [Entry]

    /// Takes the breaks of a schedule.
    package init(_ breaks: [ScheduledBreak]) {
        entries = breaks.map { Entry(scheduled: $0) }
    }

    /// Takes further breaks.
    package mutating func add(_ breaks: [ScheduledBreak]) { entries += breaks.map { Entry(scheduled: $0) } }

    /// Whether no break is left.
    package var isOver: Bool { entries.allSatisfy(\.isOver) }

    /// The next break before the main content.
    package mutating func nextAtStart() -> Due? { next { $0.offset == .start } }

    /// The next break behind the main content.
    package mutating func nextAtEnd() -> Due? { next { $0.offset == .end } }

    /// The break that is due at a place; of several that a seek has passed at once the last, and the others are over.
    package mutating func next(atMs positionMs: Int64, ofDuration durationMs: Int64?) -> Due? {
        let passed = entries.indices.filter { index in
            guard !entries[index].isOver, entries[index].scheduled.offset != .start else { return false }
            return entries[index].scheduled.offset.milliseconds(ofDuration: durationMs).map { $0 <= positionMs }
                ?? false
        }
        for index in passed { catchUp(index, toMs: positionMs, ofDuration: durationMs) }
        func placeMs(_ index: Int) -> Int64 {
            entries[index].scheduled.offset.milliseconds(ofDuration: durationMs) ?? 0
        }
        guard let lastPlace = passed.map(placeMs).max() else { return nil }
        guard let last = passed.first(where: { placeMs($0) == lastPlace }) else { return nil }
        for index in passed where placeMs(index) < lastPlace {
            entries[index].isOver = true
            planNext(of: index, ofDuration: durationMs)
        }
        let due = due(last, ofDuration: durationMs)
        planNext(of: last, ofDuration: durationMs)
        return due
    }

    /// Moves a break that repeats (VMAP 1.0.1, `repeatAfter`) to its last place that a seek has passed.
    private mutating func catchUp(_ index: Int, toMs positionMs: Int64, ofDuration durationMs: Int64?) {
        guard let (placeMs, stepMs) = interval(index, ofDuration: durationMs), positionMs >= placeMs + stepMs else {
            return
        }
        let lastMs = placeMs + (positionMs - placeMs) / stepMs * stepMs
        if lastMs < durationMs ?? .max { entries[index].scheduled.offset = .time(lastMs) }
    }

    /// Plans the next showing of a break that repeats.
    private mutating func planNext(of index: Int, ofDuration durationMs: Int64?) {
        guard let (placeMs, stepMs) = interval(index, ofDuration: durationMs),
            placeMs + stepMs < durationMs ?? .max
        else { return }
        var next = entries[index].scheduled
        next.offset = .time(placeMs + stepMs)
        entries.append(Entry(scheduled: next))
    }

    /// The place of a break, and how far behind it the next one lies; nil when it does not repeat.
    private func interval(_ index: Int, ofDuration durationMs: Int64?) -> (placeMs: Int64, stepMs: Int64)? {
        let scheduled = entries[index].scheduled
        guard let stepMs = scheduled.repeatAfterMs, stepMs >= Self.shortestRepeatMs,
            let placeMs = scheduled.offset.milliseconds(ofDuration: durationMs)
        else { return nil }
        return (placeMs, stepMs)
    }

    /// The break that comes next when playback goes on, and lies not further ahead than a limit; it stays to be played.
    package func upcoming(
        atMs positionMs: Int64,
        within limitMs: Int64,
        ofDuration durationMs: Int64?
    ) -> ScheduledBreak? {
        let places = entries.filter { !$0.isOver }.compactMap { entry -> (Int64, ScheduledBreak)? in
            let place = entry.scheduled.offset.milliseconds(ofDuration: durationMs) ?? durationMs
            return place.map { ($0, entry.scheduled) }
        }
        return places.filter { $0.0 - positionMs <= limitMs }.min { $0.0 < $1.0 }?.1
    }

    private mutating func next(where condition: (ScheduledBreak) -> Bool) -> Due? {
        guard let index = entries.firstIndex(where: { !$0.isOver && condition($0.scheduled) }) else { return nil }
        let due = due(index, ofDuration: nil)
        planNext(of: index, ofDuration: nil)
        return due
    }

    private mutating func due(_ index: Int, ofDuration durationMs: Int64?) -> Due {
        entries[index].isOver = true
        let order = entries.indices.sorted { (rank($0, durationMs), $0) < (rank($1, durationMs), $1) }
        return Due(scheduled: entries[index].scheduled, position: (order.firstIndex(of: index) ?? 0) + 1)
    }

    private func rank(_ index: Int, _ durationMs: Int64?) -> Int64 {
        switch entries[index].scheduled.offset {
        case .start: -1
        case .end: .max
        default: entries[index].scheduled.offset.milliseconds(ofDuration: durationMs) ?? .max - 1
        }
    }
}
