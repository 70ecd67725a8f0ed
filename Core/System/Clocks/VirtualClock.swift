internal import Synchronization

/// A clock that stands still until it is set: for scenarios and tests.
public final class VirtualClock: RunClock {
    private let time: Atomic<Int64>

    /// Begins at `time`, us.
    package init(at time: Int64 = 0) {
        self.time = Atomic(time)
    }

    /// The time that it was set to, us.
    public func now() -> Int64 {
        time.load(ordering: .acquiring)
    }

    /// Sets the clock; setting it back has no effect.
    public func advance(to time: Int64) {
        if time > now() {
            self.time.store(time, ordering: .releasing)
        }
    }
}
