internal import Glibc

/// The clock that the engine's reports are on.
enum Clock {
    /// Nanoseconds of `CLOCK_BOOTTIME`.
    static func bootNs() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
