/// How long something has been played, in ms.
///
/// The clock stands while playback does, and is read at each event.
package struct PlaytimeClock: Equatable, Sendable {
    /// ms played between the last two events.
    package private(set) var sinceLastEvent: Int64 = 0
    /// ms played in this view.
    package private(set) var total: Int64 = 0
    /// Where it counts from, nil while it stands.
    private var reference: Reference?
    /// ms that were played since it was read last, but before the reference.
    private var earlier: Int64 = 0
    private var followsPlayhead = false

    /// An instant of playback.
    private struct Reference: Equatable, Sendable {
        var time: Int64
        var playhead: Int64?
    }

    /// Begins at nothing, standing.
    package init() {}

    /// Whether it counts.
    package var isRunning: Bool { reference != nil }

    /// Reads the clock for an event.
    package mutating func read(at now: Int64, playhead: Int64? = nil) {
        sinceLastEvent = unread(at: now, playhead: playhead)
        total += sinceLastEvent
        earlier = 0
        countOn(from: now, playhead)
    }

    /// ms played since it was read last.
    package func unread(at now: Int64, playhead: Int64? = nil) -> Int64 {
        guard let reference else { return earlier }
        var played = max(now - reference.time, 0)
        if followsPlayhead, let before = reference.playhead, let playhead {
            played = min(played, max(playhead - before, 0))
        }
        return earlier + played
    }

    /// Counts from here on.
    package mutating func start(at now: Int64, playhead: Int64? = nil) {
        reference = Reference(time: now, playhead: playhead)
    }

    /// Counts no longer; what has not been read is lost.
    package mutating func stop() {
        reference = nil
        earlier = 0
    }

    /// Stands at nothing for the next view.
    package mutating func beginAnew() {
        stop()
        (sinceLastEvent, total) = (0, 0)
    }

    /// Goes on no faster than the playhead from here on, or by time alone again; without a playhead time has to do.
    package mutating func follow(playheadOnly: Bool, at now: Int64, playhead: Int64?) {
        guard playheadOnly != followsPlayhead else { return }
        earlier = unread(at: now, playhead: playhead)
        followsPlayhead = playheadOnly
        countOn(from: now, playhead)
    }

    /// Leaves out so many ms in which nothing can have been played.
    package mutating func skip(_ length: Int64) { reference?.time += length }

    private mutating func countOn(from now: Int64, _ playhead: Int64?) {
        guard let reference else { return }
        // A time that is left out may lie ahead.
        self.reference = Reference(time: max(now, reference.time), playhead: playhead)
    }
}
