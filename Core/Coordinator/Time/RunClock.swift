/// Tells the time of one player run in whole microseconds since its start.
package protocol RunClock: AnyObject, Sendable {
    /// Microseconds since the run's start; never falls. May be called from any thread.
    func now() -> Int64
}
