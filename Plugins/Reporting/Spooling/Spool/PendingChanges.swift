internal import Database
internal import PluginKit

/// Changes of the spool that wait for the next commit.
struct PendingChanges: Sendable {
    /// A lasting count.
    struct Counter: Hashable, Sendable {
        let destination: String
        let name: String
    }

    /// Beacons that were taken.
    var taken: [StoredBeacon] = []
    /// Places of beacons that servers took, with their sizes.
    var delivered: [(place: Int64, size: Int)] = []
    /// Beacons that were given up.
    var buried: [(beacon: StoredBeacon, reason: DropReason, status: Int)] = []
    /// Beacons that wait for another try.
    var postponed: [StoredBeacon] = []
    /// What to add to the lasting counts.
    var counts: [Counter: Int64] = [:]
    /// What went wrong last, by destination.
    var failures: [String: String] = [:]

    /// How many beacons are concerned.
    var count: Int { taken.count + delivered.count + buried.count + postponed.count }

    /// Whether there is nothing to write.
    var isEmpty: Bool { count == 0 && counts.isEmpty }

    /// Removes all of them, but of what was taken only the first ones, and gives them.
    mutating func removeFirst(_ largest: Int) -> PendingChanges {
        var first = self
        self = PendingChanges()
        guard first.taken.count > largest else { return first }
        taken = Array(first.taken[largest...])
        first.taken.removeSubrange(largest...)
        return first
    }

    /// Puts changes that could not be committed before these.
    mutating func putBefore(_ earlier: PendingChanges) {
        taken = earlier.taken + taken
        delivered = earlier.delivered + delivered
        buried = earlier.buried + buried
        postponed = earlier.postponed + postponed
        counts.merge(earlier.counts, uniquingKeysWith: +)
        failures.merge(earlier.failures) { later, _ in later }
    }
}

/// What a commit did besides, which counts only once it is lasting.
struct CommitEffects: Sendable {
    /// Beacons that have a place now.
    var placed: [StoredBeacon] = []
    /// Beacons that were taken before.
    var known: [StoredBeacon] = []
    /// Beacons that made way.
    var evicted: [StoredBeacon] = []
}

// What a commit writes.
extension Spool {
    /// Writes changes into the transaction that is open.
    func write(_ changes: PendingChanges, _ effects: inout CommitEffects) throws(DatabaseError) {
        effects.placed.reserveCapacity(changes.taken.count)
        for var beacon in changes.taken {
            if let place = try insert(beacon) {
                beacon.place = place
                effects.placed.append(beacon)
            } else {
                try add(1, to: "already_taken", of: beacon.destination)
                effects.known.append(beacon)
            }
        }
        for (destination, number) in Self.numbers(of: effects.placed) { try add(number, to: "taken", of: destination) }
        for beacon in changes.postponed { try postpone(beacon) }
        for burial in changes.buried { try bury(burial.beacon, burial.reason, status: burial.status) }
        try remove(changes.delivered)
        for (counter, number) in changes.counts { try add(number, to: counter.name, of: counter.destination) }
        for (destination, failure) in changes.failures { try record(failure, of: destination) }
    }

    /// How many beacons each destination has; neighbours mostly have the same.
    private static func numbers(of beacons: [StoredBeacon]) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        var start = 0
        while start < beacons.count {
            let destination = beacons[start].destination
            let end = beacons[start...].firstIndex { $0.destination != destination } ?? beacons.count
            numbers[destination, default: 0] += Int64(end - start)
            start = end
        }
        return numbers
    }
}
