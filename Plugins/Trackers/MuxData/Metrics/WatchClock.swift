internal import PluginKit

/// Measures for how long a view is watched, and what the viewer sees meanwhile.
///
/// It runs from the wish to play to a pause, an end or an error: start-up, stalls, seeks and ads count, pauses do not.
/// All in whole milliseconds of the wall clock, so that the parts make up the whole exactly.
struct WatchClock {
    /// What watched time is spent on.
    enum Part: Int {
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
    private var parts: [5 of Int64] = .init(repeating: 0)

    /// Counts the time since the last call to a part.
    ///
    /// - Returns: that time; 0 while it does not run.
    @discardableResult
    mutating func count(as part: Part, until time: Int64) -> Int64 {
        let passed = max(0, time - last)
        last = max(last, time)
        guard isRunning else { return 0 }
        parts[part.rawValue] += passed
        return passed
    }

    /// Counts time that was counted as content as a stall, which is found out afterwards.
    mutating func moveToRebuffering(_ milliseconds: Int64) {
        let moved = min(milliseconds, self[.content])
        parts[Part.content.rawValue] -= moved
        parts[Part.rebuffering.rawValue] += moved
    }

    /// Starts it; the time before has been counted.
    mutating func start() { isRunning = true }

    /// Stops it; the time before has been counted.
    mutating func stop() { isRunning = false }

    /// Time of a part, ms.
    subscript(_ part: Part) -> Int64 { parts[part.rawValue] }

    /// Watched time: all parts, ms.
    var total: Int64 { self[.waiting] + self[.content] + self[.ad] + self[.rebuffering] + self[.seeking] }

    /// Begins anew for another view.
    mutating func reset(at time: Int64) {
        parts = .init(repeating: 0)
        last = max(last, time)
    }
}
