/// Changes of the spool that wait for the next commit.
struct PendingChanges {
    /// A lasting count.
    struct Counter: Hashable {
        let destination: String
        let name: String
    }

    /// A beacon that was given up.
    struct Burial {
        let beacon: StoredBeacon
        let reason: DropReason
        let status: Int
    }

    /// Beacons that were taken.
    var taken: [StoredBeacon] = []
    /// Places of beacons that servers took, with their sizes.
    var delivered: [(place: Int64, size: Int)] = []
    /// Beacons that were given up.
    var buried: [Burial] = []
    /// Beacons that wait for another try.
    var postponed: [StoredBeacon] = []
    /// What to add to the lasting counts.
    var counts: [Counter: Int64] = [:]

    /// How many beacons are concerned.
    var count: Int { taken.count + delivered.count + buried.count + postponed.count }

    /// Whether there is nothing to write.
    var isEmpty: Bool { count == 0 && counts.isEmpty }
}

/// What a commit did besides, which counts only once it is lasting.
struct CommitEffects {
    /// Beacons that have a place now.
    var placed: [StoredBeacon] = []
    /// Beacons that were taken before.
    var known: [StoredBeacon] = []
    /// Beacons that made way.
    var evicted: [StoredBeacon] = []
}
