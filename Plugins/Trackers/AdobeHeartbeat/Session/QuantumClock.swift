internal import PluginKit

/// Counts the seconds in which playback is wanted; a quantum ends when they are a multiple of the interval.
///
/// The seconds tick from the load on, as one clock; only those that pass while it runs are counted. Nothing but a load
/// and a completion begins the count anew. All in us of run time.
struct QuantumClock {
    /// Seconds of a quantum.
    var interval: Int64
    private var base: Int64
    private(set) var ticks: Int64 = 0
    private var runningSince: Int64?

    private static let second: Int64 = 1_000_000

    /// Begins a count that does not run yet.
    init(base: Int64, interval: Int64) {
        self.base = base
        self.interval = interval
    }

    var isRunning: Bool { runningSince != nil }

    mutating func start(at time: Int64) { runningSince = runningSince ?? time }

    /// Stands still and keeps the count; says whether a quantum ends at this very instant, as no timer will tell it.
    mutating func stop(at time: Int64) -> Bool {
        let isDue = isDue(at: time)
        count(until: time)
        runningSince = nil
        return isDue
    }

    /// Whether a quantum ends at this instant.
    func isDue(at time: Int64) -> Bool { deadline == time }

    /// Lets a sleep of the machine pass: no second ticks in it, and the one that has begun goes on after it.
    mutating func pass(_ sleep: Sleep) {
        base += sleep.length
        runningSince = runningSince.map { $0 + sleep.length }
    }

    /// Takes the seconds until now into the count.
    mutating func count(until time: Int64) {
        guard let since = runningSince else { return }
        ticks += index(time) - index(since)
        runningSince = time
    }

    /// When the quantum ends, if the clock goes on until then; nil while it stands.
    var deadline: Int64? {
        guard let since = runningSince else { return nil }
        return base + (index(since) + interval - ticks % interval) * Self.second
    }

    private func index(_ time: Int64) -> Int64 { (time - base) / Self.second }
}
