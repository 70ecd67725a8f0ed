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
    package init(_ host: TrackerHost) {
        self.host = host
    }

    /// Begins a second.
    package mutating func start(at time: Int64) {
        arm(time + Self.period)
    }

    /// Stands still; what is left of the second is kept.
    package mutating func hold(at time: Int64) {
        guard let timer else { return }
        host.cancel(timer)
        self.timer = nil
        remaining = max(deadline - time, 0)
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

    /// Carries when the second ends, or what is left of it; the kit carries the timer itself.
    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&timer)
        transfer.carry(&deadline)
        transfer.carry(&remaining)
    }

    private mutating func arm(_ deadline: Int64) {
        if let timer { host.cancel(timer) }
        timer = host.startTimer(at: deadline)
        self.deadline = deadline
        remaining = nil
    }
}
