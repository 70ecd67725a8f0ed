internal import PluginKit

/// What waits for one destination: a window of the spool in memory, and what is tried again later.
final class Destination {
    /// How many are read of the spool at once.
    static let readAtOnce = 128

    let name: String
    /// Beacons that are in memory at most, and their bytes.
    private let window: (beacons: Int, bytes: Int)
    /// Not tried yet, in order.
    var ready: [StoredBeacon] = []
    /// Tried, and due again at a time of their own.
    var waiting: [StoredBeacon] = []
    /// Places of those under way.
    var underway: Set<Int64> = []
    /// The last place that was read of the spool.
    var readUpTo: Int64 = 0
    /// Whether the spool may have more behind that.
    var hasMore = false
    var breaker = CircuitBreaker()
    /// What went wrong last; empty when nothing did.
    var lastFailure = ""

    /// A destination for which nothing waits.
    init(_ name: String, window: (beacons: Int, bytes: Int)) { (self.name, self.window) = (name, window) }

    /// The index in ``ready`` up to which it was used; so that taking from the front costs nothing.
    private var used = 0

    /// Bytes of those in ``ready`` and ``waiting``.
    private var bytes = 0

    /// How many are in memory.
    private var inMemory: Int { ready.count - used + waiting.count + underway.count }

    /// Whether it is time to read more of the spool.
    var isLow: Bool { hasMore && inMemory < window.beacons / 2 && bytes < window.bytes / 2 }

    /// Whether more of the spool may be read.
    var hasRoomForMore: Bool {
        hasMore && inMemory + Self.readAtOnce <= window.beacons && bytes < window.bytes
    }

    /// Takes the next beacon that may be sent now; nil when there is none.
    ///
    /// One that keeps order goes alone, after all before it.
    func next(at now: Int64, concurrency: Int) -> StoredBeacon? {
        guard underway.count < concurrency, breaker.allows(at: now) else { return nil }
        if let index = earliestWaiting(at: now) {
            bytes -= waiting[index].size
            return waiting.remove(at: index)
        }
        guard used < ready.count else { return nil }
        let beacon = ready[used]
        if beacon.options.contains(.keepOrder), !underway.isEmpty || !waiting.isEmpty { return nil }
        bytes -= beacon.size
        used += 1
        if used == ready.count || used >= Self.readAtOnce {
            ready.removeFirst(used)
            used = 0
        }
        return beacon
    }

    /// Adds beacons that were read or taken.
    func append(_ beacon: StoredBeacon) {
        if beacon.due > 0 || beacon.attempts > 0 { waiting.append(beacon) } else { ready.append(beacon) }
        bytes += beacon.size
        readUpTo = max(readUpTo, beacon.place)
    }

    /// Takes over a beacon that got its place in the spool; when there is no room it is read from there later.
    func enqueue(_ beacon: StoredBeacon) {
        hasMore = hasMore || inMemory >= window.beacons || bytes >= window.bytes
        if !hasMore { append(beacon) }
    }

    /// When something may become due; nil when nothing waits.
    func nextTime(concurrency: Int) -> Int64? {
        guard underway.count < concurrency else { return nil }
        var time: Int64?
        if used < ready.count, waiting.isEmpty || !ready[used].options.contains(.keepOrder) { time = 0 }
        for beacon in waiting { time = min(time ?? .max, beacon.due) }
        return time.map { max($0, breaker.closedUntil) }
    }

    /// Has what waits for another try go as soon as the destination takes it.
    func makeDue() { for index in waiting.indices { waiting[index].due = 0 } }

    /// Removes all beacons that a test names.
    func remove(_ isWanted: (StoredBeacon) -> Bool) {
        let gone = ready[used...].filter(isWanted) + waiting.filter(isWanted)
        ready = ready[used...].filter { !isWanted($0) }
        used = 0
        waiting.removeAll(where: isWanted)
        bytes -= gone.reduce(0) { $0 + $1.size }
    }

    private func earliestWaiting(at now: Int64) -> Int? {
        let order = waiting.indices.min { waiting[$0].place < waiting[$1].place }
        guard let first = order else { return nil }
        if waiting[first].options.contains(.keepOrder) {
            return waiting[first].due <= now && underway.isEmpty ? first : nil
        }
        return waiting.firstIndex { $0.due <= now && !$0.options.contains(.keepOrder) }
    }
}

/// Stops sending to a destination that fails again and again, and tries it with one request from time to time.
struct CircuitBreaker: Equatable, Sendable {
    /// Failures in a row that open it.
    static let tolerated: Int64 = 5

    /// Failures since the last success.
    private(set) var failures: Int64 = 0
    /// Nothing is sent before this.
    private(set) var closedUntil: Int64 = 0
    /// The same as the destination asked for it, which one success does not change: others are under way still.
    private var askedUntil: Int64 = 0
    /// Whether the one request that tries is under way.
    private var isTrying = false

    /// Whether a request may begin now.
    func allows(at now: Int64) -> Bool { now >= closedUntil && !(isOpen && isTrying) }

    /// Whether the destination is held to be dead.
    var isOpen: Bool { failures >= Self.tolerated }

    /// Begins a request.
    mutating func begin() { if isOpen { isTrying = true } }

    /// Closes it: the destination answered as it should, even if not with success.
    mutating func succeed() {
        let asked = askedUntil
        self = CircuitBreaker()
        (askedUntil, closedUntil) = (asked, asked)
    }

    /// Counts a failure; `delay` says how long to wait after so many.
    mutating func fail(at now: Int64, retryAfter: Int64?, delay: (Int64) -> Int64) {
        failures += 1
        isTrying = false
        if let retryAfter {
            askedUntil = max(askedUntil, now + retryAfter)
            closedUntil = max(closedUntil, askedUntil)
        } else if isOpen {
            closedUntil = now + delay(failures - Self.tolerated + 1)
        }
    }
}
