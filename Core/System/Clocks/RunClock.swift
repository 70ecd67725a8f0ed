internal import Synchronization

/// Tells the time of one player run in whole microseconds since its start.
package protocol RunClock: AnyObject, Sendable {
    /// Microseconds since the run's start; never falls. May be called from any thread.
    func now() -> Int64

    /// Where the machine's time since boot stood at the run's start, us; nil for a clock that does not follow it.
    ///
    /// A track call reads the machine's clock itself, in less time than it takes to ask an object.
    var bootStart: Int64? { get }

    /// What the clocks beside this one say, for who looks whether it jumped.
    func reading() -> ClockReading
}

extension RunClock {
    package var bootStart: Int64? { nil }

    /// Nothing slept, and no wall clock was set.
    package func reading() -> ClockReading {
        let time = now()
        return ClockReading(wall: time, boot: time, monotonic: time)
    }
}

/// The clock of a live run: the machine's time since boot, which goes on while the machine sleeps.
package final class BootTimeClock: RunClock {
    private let start: Int64

    /// Began at zero so many us ago.
    package init(startedAgo microseconds: Int64 = 0) { start = SystemTime.boot() - microseconds }

    package func now() -> Int64 { SystemTime.boot() - start }

    package var bootStart: Int64? { start }

    package func reading() -> ClockReading { SystemTime.reading() }
}

/// A clock that stands still until it is set: for scenarios and tests.
public final class VirtualClock: RunClock {
    private let time: Atomic<Int64>
    private let slept = Atomic<Int64>(0)

    /// Begins at `time`, us.
    package init(at time: Int64 = 0) { self.time = Atomic(time) }

    /// The time that it was set to, us.
    public func now() -> Int64 { time.load(ordering: .acquiring) }

    /// Sets the clock; setting it back has no effect.
    public func advance(to time: Int64) {
        if time > now() {
            self.time.store(time, ordering: .releasing)
        }
    }

    /// Lets the machine sleep for so many us from now.
    public func sleep(microseconds: Int64) {
        slept.add(microseconds, ordering: .releasing)
        advance(to: now() + microseconds)
    }

    package func reading() -> ClockReading {
        let time = now()
        return ClockReading(wall: time, boot: time, monotonic: time - slept.load(ordering: .acquiring))
    }
}
