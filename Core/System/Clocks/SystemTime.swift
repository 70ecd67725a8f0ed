internal import Glibc

/// The machine's clocks in microseconds.
///
/// Live runs and hosts use them; nothing else does.
package enum SystemTime {
    /// Time since the machine was booted, sleep included.
    package static func boot() -> Int64 { read(CLOCK_BOOTTIME) }

    /// Time since the machine was booted, sleep left out.
    package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// The same in nanoseconds, for what takes less than a microsecond.
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Wall clock, since 1970.
    package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    /// All three at one instant.
    ///
    /// This thread may have to wait between two of them: then they are read again.
    package static func reading() -> ClockReading {
        var tries = 0
        while true {
            let reading = ClockReading(wall: wall(), boot: boot(), monotonic: monotonic())
            tries += 1
            if boot() - reading.boot < 1_000 || tries == 10 { return reading }
        }
    }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

/// What the machine's clocks say at one instant, us.
package struct ClockReading: Sendable {
    /// The wall clock.
    package let wall: Int64
    /// Time that goes on while the machine sleeps.
    package let boot: Int64
    /// Time that stands still while the machine sleeps.
    package let monotonic: Int64

    package init(wall: Int64, boot: Int64, monotonic: Int64) {
        self.wall = wall
        self.boot = boot
        self.monotonic = monotonic
    }
}
