/// How far a replay has come.
package struct ReplayProgress: Sendable, Equatable {
    /// Player runs that began.
    package var runs = 0
    /// Events that were replayed.
    package var events: UInt64 = 0

    static func + (left: ReplayProgress, right: ReplayProgress) -> ReplayProgress {
        ReplayProgress(runs: left.runs + right.runs, events: left.events + right.events)
    }
}
