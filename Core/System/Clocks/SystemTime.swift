internal import Glibc

/// The machine's clocks in microseconds.
///
/// Live runs and hosts use them; nothing else does.
package enum SystemTime {
    /// Time since the machine was booted, sleep included.
    package static func boot() -> Int64 { read(CLOCK_BOOTTIME) }

    /// Time since the machine was booted, sleep left out.
    package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Wall clock, since 1970.
    package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
