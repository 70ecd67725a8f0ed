internal import Glibc

/// The clock of a live run: the machine's time since boot, which goes on while the machine sleeps.
package final class BootTimeClock: RunClock {
    private let start: Int64

    /// Begins at zero now.
    package init() {
        start = SystemTime.boot()
    }

    package func now() -> Int64 {
        SystemTime.boot() - start
    }

    package var bootStart: Int64? { start }
}
