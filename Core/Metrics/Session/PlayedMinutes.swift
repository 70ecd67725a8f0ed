/// Which minutes of the content a session has played any part of, and how often it came to each.
package struct PlayedMinutes: Sendable {
    /// How many minutes are kept; further ones are left out, so that no session grows without end.
    package static let limit = 1_440
    /// By how much a place may lie before the one that was played to and still follow it, ms.
    private static let tolerance: Int64 = 500

    /// How often each minute was come to.
    package private(set) var visits: [Int64: Int64] = [:]
    private var reached = Int64.min
    private var last: Int64 = -1

    /// Nothing was played.
    package init() {}

    /// Adds what was played, from one place to another, ms; the second is not played itself.
    mutating func add(from place: Int64, to end: Int64) {
        guard place >= 0, end > place else { return }
        let follows = place >= reached.subtractingReportingOverflow(Self.tolerance).partialValue && last >= 0
        // What is said twice of the same content is no second playing of it.
        let begin = follows ? max(place, reached) : place
        let final = (end - 1) / 60_000
        for minute in place / 60_000...min(final, place / 60_000 + 2 * Int64(Self.limit)) {
            guard let count = visits[minute] else {
                if visits.count < Self.limit { visits[minute] = 1 }
                continue
            }
            guard begin < end, minute >= begin / 60_000 else { continue }
            if !(follows && minute == last) { visits[minute] = count + 1 }
        }
        if begin < end { last = final }
        reached = follows ? max(reached, end) : end
    }

    /// The minutes in order.
    package var sorted: [(minute: Int64, visits: Int64)] {
        visits.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// How many minutes were played.
    package var watched: Int64 { Int64(visits.count) }

    /// How many minutes lie between the first and the last that were played and were not played themselves.
    package var skipped: Int64 {
        guard let first = visits.keys.min(), let last = visits.keys.max() else { return 0 }
        return last - first + 1 - watched
    }

    /// How many minutes were come to more than once.
    package var replayed: Int64 { Int64(visits.values.count { $0 > 1 }) }

    /// The last minute that was played, in the content's order; nil when none was.
    package var furthest: Int64? { visits.keys.max() }
}
