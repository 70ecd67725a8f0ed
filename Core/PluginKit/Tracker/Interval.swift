/// A timer that fires again and again: each deadline lies one period after the one before, so that it never drifts.
///
/// Ask it in ``Tracker/timerFired(_:at:state:)`` whether the timer is its own:
/// `if heartbeat.fires(timer, at: deadline) { ... }`.
public struct Interval {
    /// Time between two deadlines, us.
    ///
    /// What has to be dated finer than 250 ms is dated from events instead.
    public let period: Int64
    /// Whether it is running.
    public var isRunning: Bool { timer != nil }
    /// The deadline that comes next, nil when it does not run.
    public private(set) var nextDeadline: Int64?

    private let host: TrackerHost
    private let scope: TimerScope
    private var timer: TimerID?

    /// Makes an interval that does not run yet.
    public init(every period: Int64, host: TrackerHost, scope: TimerScope = .session) {
        self.period = max(period, Limits.timerLeadMicroseconds)
        self.host = host
        self.scope = scope
    }

    /// Starts anew: the first deadline lies one period after `time`.
    public mutating func start(at time: Int64) {
        stop()
        arm(time + period)
    }

    /// Stops; starting again begins a new row of deadlines.
    public mutating func stop() {
        if let timer {
            host.cancel(timer)
        }
        timer = nil
        nextDeadline = nil
    }

    /// Whether the timer that fires is this interval's; if so, the next deadline has been set.
    public mutating func fires(_ fired: TimerID, at deadline: Int64) -> Bool {
        guard fired == timer else { return false }
        arm(deadline + period)
        return true
    }

    private mutating func arm(_ deadline: Int64) {
        timer = host.startTimer(at: deadline, scope: scope)
        nextDeadline = timer == nil ? nil : deadline
    }
}
