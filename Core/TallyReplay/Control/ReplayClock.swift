internal import CLinux
internal import PluginABI
internal import System

/// The clock by which a replay is paced.
package protocol ReplayClock: AnyObject, Sendable {
    /// Microseconds; only goes forward.
    func now() -> Int64

    /// Waits so many microseconds, less when `signal` can be read before.
    func wait(_ microseconds: Int64, orUntil signal: Int32)
}

/// The machine's clock.
final class MachineClock: ReplayClock {
    func now() -> Int64 {
        SystemTime.monotonic()
    }

    func wait(_ microseconds: Int64, orUntil signal: Int32) {
        _ = tally_wait_readable(signal, microseconds)
    }
}
