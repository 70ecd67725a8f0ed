internal import EventModel

/// Where the main content stands between two reports of the player.
///
/// The estimate advances only while playback really goes on, stands still when the last report is older than two sample
/// intervals, and never falls between two seeks or loads. All in microseconds.
package struct PlayheadEstimate {
    /// The last reported playhead, ms.
    package private(set) var reportedMilliseconds: Int64 = 0
    private var reportTime: Int64 = 0
    private var base: Int64 = 0
    private var baseTime: Int64 = 0
    private var advancing = false
    private var rateMilli: Int64 = 1000

    package init() {}

    /// Forgets everything: a video was loaded.
    package mutating func reset(at time: Int64) {
        self = PlayheadEstimate()
        reportTime = time
        baseTime = time
    }

    /// How old the last report is, us.
    package func age(at time: Int64) -> Int64 {
        time - reportTime
    }

    /// The estimate at a time that is not before the last call, us.
    package func value(at time: Int64) -> Int64 {
        guard advancing else { return base }
        let limit = reportTime + 2 * Limits.sampleIntervalMicroseconds
        let played = min(time, limit) - baseTime
        guard played > 0 else { return base }
        return base + played * rateMilli / 1000
    }

    /// Takes a report; with `jump` the estimate may fall.
    package mutating func report(_ milliseconds: Int64, at time: Int64, jump: Bool) {
        let reported = milliseconds * 1000
        base = jump ? reported : max(reported, value(at: time))
        baseTime = time
        reportTime = time
        reportedMilliseconds = milliseconds
    }

    /// Says whether playback goes on from now, and at which rate.
    package mutating func set(advancing: Bool, rateMilli: Int32, at time: Int64) {
        guard advancing != self.advancing || Int64(rateMilli) != self.rateMilli else { return }
        base = value(at: time)
        baseTime = time
        self.advancing = advancing
        self.rateMilli = max(0, Int64(rateMilli))
    }
}
