internal import Glibc

/// The clock that the engine's reports are on.
enum Clock {
    /// Waits.
    static func sleep(milliseconds: UInt32) {
        usleep(milliseconds * 1000)
    }

    /// Nanoseconds of `CLOCK_BOOTTIME`.
    static func bootNs() -> Int64 { now(CLOCK_BOOTTIME) }

    /// Nanoseconds of processor time that this thread has used.
    static func threadNs() -> Int64 { now(CLOCK_THREAD_CPUTIME_ID) }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
