internal import PluginKit

/// Measures for how long a view is watched, and what the viewer sees meanwhile.
///
/// It runs from the wish to play to a pause, an end or an error: start-up, stalls, seeks and ads count, pauses do not.
/// All in whole milliseconds of the wall clock, so that the parts make up the whole exactly.
struct WatchClock {
    /// What watched time is spent on.
    enum Part: Int, CaseIterable {
        /// Waiting for the first frame: at the start, after a seek, for an ad.
        case waiting
        /// The content plays.
        case content
        /// An ad plays.
        case ad
        /// The content stands still for want of data.
        case rebuffering
        /// A seek is under way.
        case seeking
    }

    /// Whether it runs.
    private(set) var isRunning = false
    private var last: Int64 = 0
    private var parts: (Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0)

    /// Counts the time since the last call to a part.
    ///
    /// - Returns: that time; 0 while it does not run.
    @discardableResult
    mutating func count(as part: Part, until time: Int64) -> Int64 {
        let passed = max(0, time - last)
        last = max(last, time)
        guard isRunning else { return 0 }
        add(passed, to: part)
        return passed
    }

    /// Counts time that was counted as content as a stall, which is found out afterwards.
    mutating func moveToRebuffering(_ milliseconds: Int64) {
        let moved = min(milliseconds, self[.content])
        add(-moved, to: .content)
        add(moved, to: .rebuffering)
    }

    /// Starts it; the time before has been counted.
    mutating func start() { isRunning = true }

    /// Stops it; the time before has been counted.
    mutating func stop() { isRunning = false }

    /// Time of a part, ms.
    subscript(_ part: Part) -> Int64 {
        switch part {
        case .waiting: parts.0
        case .content: parts.1
        case .ad: parts.2
        case .rebuffering: parts.3
        case .seeking: parts.4
        }
    }

    /// Watched time: all parts, ms.
    var total: Int64 { parts.0 + parts.1 + parts.2 + parts.3 + parts.4 }

    /// Begins anew for another view.
    mutating func reset(at time: Int64) {
        parts = (0, 0, 0, 0, 0)
        last = max(last, time)
    }

    private mutating func add(_ milliseconds: Int64, to part: Part) {
        switch part {
        case .waiting: parts.0 += milliseconds
        case .content: parts.1 += milliseconds
        case .ad: parts.2 += milliseconds
        case .rebuffering: parts.3 += milliseconds
        case .seeking: parts.4 += milliseconds
        }
    }
}
