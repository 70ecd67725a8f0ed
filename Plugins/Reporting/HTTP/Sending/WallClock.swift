internal import Glibc

/// The time as it is written into the spool, which outlives the program.
enum WallClock {
    /// Milliseconds since 1970.
    static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
