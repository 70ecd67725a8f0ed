/// How long was played: since the event before, and in this view.
///
/// Time is a parameter, in ms. The clock stands while playback does, and is read at each event.
package struct PlaytimeClock: Equatable, Sendable {
    /// ms played between the last two events.
    package private(set) var sinceLastEvent: Int64 = 0
    /// ms played in this view.
    package private(set) var total: Int64 = 0
    private var reference: Int64?

    /// Begins at nothing, standing.
    package init() {}

    /// Reads the clock for an event.
    package mutating func read(at now: Int64) {
        sinceLastEvent = unread(at: now)
        total += sinceLastEvent
        if reference != nil { reference = now }
    }

    /// ms played since it was read last.
    package func unread(at now: Int64) -> Int64 { reference.map { now - $0 } ?? 0 }

    /// Counts from here on.
    package mutating func start(at now: Int64) { reference = now }

    /// Counts no longer; what has not been read is lost.
    package mutating func stop() { reference = nil }
}
