import Glibc

/// The clock of all reports: it runs on while the machine sleeps.
enum MonotonicClock {
    /// Nanoseconds since the machine was started.
    static func nowNs() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
