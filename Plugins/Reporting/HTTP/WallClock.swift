internal import Glibc

/// The time as it is written into the spool, which outlives the program.
enum WallClock {
    /// Milliseconds since 1970.
    static func now() -> Int64 {
        read(CLOCK_REALTIME)
    }

    /// Milliseconds of a clock that nobody sets, for lengths of time within the program.
    static func monotonic() -> Int64 {
        read(CLOCK_MONOTONIC)
    }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
