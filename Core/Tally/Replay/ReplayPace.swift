internal import Coordinator
internal import Glibc

/// Keeps a replay at a given speed, anchored to the run's start so that it does not drift.
struct ReplayPace {
    private let speed: Double?
    private var started: Int64?

    init(speed: Double?) {
        self.speed = speed.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Waits until a run's time has come.
    mutating func wait(for time: Int64) {
        guard let speed else { return }
        let begin = started ?? SystemTime.monotonic()
        started = begin
        let due = begin + Int64(Double(time) / speed)
        let ahead = due - SystemTime.monotonic()
        if ahead > 0 {
            var pause = timespec(tv_sec: Int(ahead / 1_000_000), tv_nsec: Int(ahead % 1_000_000) * 1_000)
            unsafe nanosleep(&pause, nil)
        }
    }
}
