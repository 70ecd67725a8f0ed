package import PluginKit

/// When the next playhead is due: one second of playback after the last one.
///
/// While playback is held, the rest of the second is kept, so that every second that counts was played in full.
package struct PlayheadCadence {
    /// Time between two playheads, us.
    package static let period: Int64 = 1_000_000

    private let host: TrackerHost
    private var timer: TimerID?
    private var deadline: Int64 = 0
    private var remaining: Int64?

    /// Makes one that stands still.
    package init(_ host: TrackerHost) { self.host = host }

    /// Begins a second.
    package mutating func start(at time: Int64) { arm(time + Self.period) }

    /// What is left of the second, us; nil while none has begun.
    package func rest(at time: Int64) -> Int64? { timer == nil ? remaining : max(deadline - time, 0) }

    /// Stands still; what is left of the second is kept.
    package mutating func hold(at time: Int64) {
        guard let timer else { return }
        host.cancel(timer)
        remaining = rest(at: time)
        self.timer = nil
    }

    /// Goes on where it was held; false when there is nothing to go on with.
    package mutating func goOn(at time: Int64) -> Bool {
        guard let remaining else { return false }
        arm(time + remaining)
        return true
    }

    /// Stands still, and forgets what is left of the second.
    package mutating func reset() {
        if let timer { host.cancel(timer) }
        timer = nil
        remaining = nil
    }

    /// Whether the timer that fires is this one; the next second has then begun.
    package mutating func fires(_ fired: TimerID, at time: Int64) -> Bool {
        guard fired == timer else { return false }
        arm(time + Self.period)
        return true
    }

    private mutating func arm(_ deadline: Int64) {
        if let timer { host.cancel(timer) }
        timer = host.startTimer(at: deadline)
        self.deadline = deadline
        remaining = nil
    }
}

/// Where the content stands, in the unit that `playheadPosition` takes.
///
/// On demand these are seconds from the start. For a live stream they are the wall clock of what is shown, so that
/// seeking back gives the time of the material (DCR Sweden Video iOS SDK, "playheadPosition").
package struct ContentPosition {
    /// Wall clock of a live stream's beginning, ms; for players that do not tell the wall clock of what they show.
    private var liveStart: Int64?

    /// The position, whole seconds; nil when the player does not tell it.
    package mutating func seconds(at moment: Moment) -> Int64? {
        let player = moment.player
        let playhead = player.playheadMilliseconds.flatMap { $0 < 0 ? nil : $0 }
        guard player.isLive ?? false else { return playhead.map { $0 / 1000 } }
        guard let playhead else { return moment.epochSeconds }
        if let wall = player.liveWallMilliseconds, let reported = player.reportedPlayheadMilliseconds {
            return (wall + playhead - reported) / 1000
        }
        // Where the player began is taken for the live edge (inferred).
        let start = liveStart ?? moment.epochMilliseconds - playhead
        liveStart = start
        return (start + playhead) / 1000
    }

    /// The position that follows another one after a second of playback; nil when there is nothing to tell.
    ///
    /// At normal speed it is one more. Where the player has gone elsewhere without a seek, its own position is taken,
    /// and that second does not count; while the player is behind, nothing is told. At another speed it is the player's
    /// own position, as long as it grows (inferred: the guide knows normal speed alone).
    package mutating func next(after last: Int64, at moment: Moment) -> (seconds: Int64, isCredited: Bool)? {
        let expected = last + 1
        let isNormalSpeed = moment.player.rateMilli ?? 1000 == 1000
        guard let actual = seconds(at: moment) else { return (expected, true) }
        if isNormalSpeed {
            guard moment.player.isPlayheadFresh else { return (expected, true) }
            if actual - expected >= Self.tolerance { return (actual, false) }
            return expected - actual >= Self.tolerance ? nil : (expected, true)
        }
        return actual > last ? (actual, true) : nil
    }

    /// Seconds by which the counted position and the player's may differ: both are cut off to whole seconds, and the
    /// player's is an estimate.
    private static let tolerance: Int64 = 2
}
