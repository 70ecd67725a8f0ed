/// Tells the time of one player run in whole microseconds since its start.
package protocol RunClock: AnyObject, Sendable {
    /// Microseconds since the run's start; never falls. May be called from any thread.
    func now() -> Int64

    /// Where the machine's time since boot stood at the run's start, us; nil for a clock that does not follow it.
    ///
    /// A track call reads the machine's clock itself, in less time than it takes to ask an object.
    var bootStart: Int64? { get }
}

extension RunClock {
    package var bootStart: Int64? { nil }
}
