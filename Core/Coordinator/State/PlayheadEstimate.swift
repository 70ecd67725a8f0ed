internal import EventModel

/// Where the main content stands between two reports of the player.
///
/// The estimate goes on from the last report only while playback really goes on, stands still when that report is older
/// than two sample intervals, and never falls between two seeks or loads: when a report is behind it, it waits until
/// the player has caught up. So it is never further ahead of the player than two sample intervals. All in microseconds.
package struct PlayheadEstimate {
    /// The last reported playhead, ms.
    package private(set) var reportedMilliseconds: Int64 = 0
    private var isReported = false
    private var reportTime: Int64 = 0
    /// What was told already since the last seek or load.
    private var floor: Int64 = 0
    /// Where the report puts the playhead at `anchorTime`.
    private var anchor: Int64 = 0
    private var anchorTime: Int64 = 0
    private var advancing = false
    private var rateMilli: Int64 = 1000

    package init() {}

    /// Forgets everything: a video was loaded.
    package mutating func reset(at time: Int64) {
        self = PlayheadEstimate()
        reportTime = time
        anchorTime = time
    }

    /// How old the last report is, us.
    package func age(at time: Int64) -> Int64 {
        time - reportTime
    }

    /// The estimate at a time that is not before the last call, us.
    package func value(at time: Int64) -> Int64 {
        max(floor, projected(to: time))
    }

    /// Takes a report; with `jump` the estimate may fall.
    package mutating func report(_ milliseconds: Int64, at time: Int64, jump: Bool) {
        let reported = milliseconds * 1000
        floor = jump || !isReported ? reported : max(reported, value(at: time))
        anchor = reported
        anchorTime = time
        reportTime = time
        reportedMilliseconds = milliseconds
        isReported = true
    }

    /// Says whether playback goes on from now, and at which rate.
    package mutating func set(advancing: Bool, rateMilli: Int32, at time: Int64) {
        let rateMilli = max(0, Int64(rateMilli))
        guard advancing != self.advancing || rateMilli != self.rateMilli else { return }
        floor = max(floor, value(at: time))
        anchor = projected(to: time)
        anchorTime = time
        self.advancing = advancing
        self.rateMilli = rateMilli
    }

    /// Lets the estimate stand until the next report: a sleep of the machine begins.
    package mutating func stand(at time: Int64) {
        floor = value(at: time)
        anchor = projected(to: time)
        // No report that is older than this carries the estimate any further.
        anchorTime = .max
    }

    /// The last report carried forward.
    ///
    /// A playhead below zero says that there is none, so it does not advance.
    private func projected(to time: Int64) -> Int64 {
        let limit = reportTime + 2 * Limits.sampleIntervalMicroseconds
        let played = min(time, limit) - anchorTime
        guard advancing, played > 0, reportedMilliseconds >= 0 else { return anchor }
        return anchor + played * rateMilli / 1000
    }
}
