internal import Glibc

/// The machine's clocks in nanoseconds.
enum Stopwatch {
    /// Time as it passes.
    static func wall() -> Int64 {
        read(CLOCK_MONOTONIC)
    }

    /// Time that all threads of this process have spent on a processor.
    static func processor() -> Int64 {
        read(CLOCK_PROCESS_CPUTIME_ID)
    }

    /// Lets time pass.
    static func sleep(milliseconds: Int) {
        usleep(UInt32(milliseconds) * 1000)
    }

    /// Lets time pass until ``wall()`` is so far, ns.
    static func sleep(until time: Int64) {
        var time = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
