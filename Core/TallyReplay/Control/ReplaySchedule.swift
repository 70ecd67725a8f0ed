internal import CLinux
internal import PluginABI
internal import System

/// When each line of a replay is due, us behind the replay's start.
///
/// Each instant follows from the start and from what the archive says, never from when the line before was replayed:
/// what comes late is caught up with, and nothing adds up.
struct ReplaySchedule {
    private let pace: ReplayPace
    private var events: Double = 0
    /// When the last line was due.
    private(set) var offset: Int64 = 0

    init(_ pace: ReplayPace) { self.pace = pace }

    /// When a line of a run is due; `base` is where the run's own start lies, and is set with its first line.
    mutating func due(_ time: Int64, base: inout Int64?, isEvent: Bool) -> Int64 {
        switch pace {
        case .speed(let speed):
            let start = base ?? offset
            base = start
            return start + Int64((Double(time) / speed).rounded())
        case .rate(let rate):
            guard isEvent else { return offset }
            defer { events += 1 }
            return Int64((events * 1_000_000 / rate).rounded())
        }
    }

    /// Notes that the line which was due then has passed.
    mutating func pass(_ due: Int64) { offset = max(offset, due) }
}

/// How fast a replay goes.
public enum ReplayPace: Sendable, Equatable {
    /// So many seconds of a run pass in one second.
    case speed(Double)
    /// So many events pass in one second, whatever their times.
    case rate(Double)
}

/// The clock by which a replay is paced.
package protocol ReplayClock: AnyObject, Sendable {
    /// Microseconds; only goes forward.
    func now() -> Int64

    /// Waits so many microseconds, less when `signal` can be read before.
    func wait(_ microseconds: Int64, orUntil signal: Int32)
}

/// The machine's clock.
final class MachineClock: ReplayClock {
    func now() -> Int64 { SystemTime.monotonic() }

    func wait(_ microseconds: Int64, orUntil signal: Int32) { _ = tally_wait_readable(signal, microseconds) }
}
