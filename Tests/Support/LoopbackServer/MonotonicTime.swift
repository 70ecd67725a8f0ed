import Glibc

/// A point in time on the clock that never jumps.
struct MonotonicTime: Comparable {
    /// Seconds since an arbitrary origin.
    let seconds: Double

    static var now: MonotonicTime {
        var time = Glibc.timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// The point that lies the given seconds later, at most about thirty years.
    func advanced(by interval: Double) -> MonotonicTime {
        MonotonicTime(seconds: seconds + min(interval, 1e9))
    }

    var timespec: timespec {
        let whole = seconds.rounded(.down)
        return Glibc.timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.seconds < right.seconds
    }
}
