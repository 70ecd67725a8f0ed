internal import Database
internal import PluginKit

// How what was taken, and what became of it, gets into the spool.
extension Sender {
    /// Changes that are committed before their time.
    private static let batch = 1_000
    /// Changes that a spool that cannot be written may keep waiting; then nothing more is sent.
    private static let mostWaiting = 10_000
    /// How long the spool waits after it could not be written, ms: twice as long each time.
    private static let afterFault: (first: Int64, longest: Int64) = (20, 1_000)

    /// Whether what servers answer can be noted: otherwise too much would go out again after a crash.
    var maySend: Bool {
        !isFaulty || changes.delivered.count + changes.buried.count + changes.postponed.count < Self.mostWaiting
    }

    func commitIfDue(at now: Int64, isEnding: Bool) {
        guard let due = commitDue else { return }
        // Who waits for a session waits for what was taken of it; that a server answered can be written later.
        let isHurried = (isEnding || settlement.isAwaited) && !changes.taken.isEmpty
        let isWanted = changes.count >= Self.batch || isHurried || isEnding && pool.count == 0
        guard now >= due || isWanted && !isFaulty else { return }
        try? commit(at: now)
    }

    /// Writes all changes in one transaction; when that fails they wait, and so does everything behind them.
    func commit(at now: Int64) throws(DatabaseError) {
        guard !changes.isEmpty || spool.bytes > largestKept else {
            commitDue = nil
            return
        }
        var effects = CommitEffects()
        do throws(DatabaseError) {
            try openAgain()
            try spool.begin()
            try write(&effects)
            try spool.commit()
        } catch {
            spool.rollBack()
            fail(error, at: now)
            throw error
        }
        if isFaulty {
            isFaulty = false
            faultDelay = 0
            inbox.with { $0.stall = nil }
            host.log(.info, "the spool can be written again")
        }
        let taken = changes.taken
        changes = PendingChanges()
        commitDue = nil
        resolve(effects)
        release(taken)
        assert(settlement.uncommitted == 0, "beacons are waited for that are not in the spool")
    }

    private func write(_ effects: inout CommitEffects) throws(DatabaseError) {
        var taken: [String: Int64] = [:]
        for var beacon in changes.taken {
            if let place = try spool.insert(beacon) {
                beacon.place = place
                effects.placed.append(beacon)
                taken[beacon.destination, default: 0] += 1
            } else {
                try spool.add(1, to: "already_taken", of: beacon.destination)
                effects.known.append(beacon)
            }
        }
        for (destination, number) in taken { try spool.add(number, to: "taken", of: destination) }
        for beacon in changes.postponed { try spool.postpone(beacon) }
        for burial in changes.buried {
            try spool.bury(burial.beacon, burial.reason, status: burial.status)
        }
        try spool.remove(changes.delivered)
        try evict(&effects)
        try spool.trimDead(to: configuration.largest / 4)
        for (counter, number) in changes.counts {
            try spool.add(number, to: counter.name, of: counter.destination)
        }
        for (destination, failure) in changes.failures { try spool.record(failure, of: destination) }
    }

    /// What a spool may have before the oldest beacons make way, bytes; where the host waits none has to.
    private var largestKept: Int64 { host.waitsForRoom ? .max : configuration.largest }

    /// What a spool may have before nothing more is taken, bytes.
    var largestTaken: Int64 { host.waitsForRoom ? configuration.largest : .max }

    /// Makes room by removing what was taken first, unless it is under way.
    private func evict(_ effects: inout CommitEffects) throws(DatabaseError) {
        while spool.bytes > largestKept {
            // At most so many are under way: of twice as many one is not, unless there are no more.
            let oldest = try spool.first(2 * Self.underway).filter {
                destinations[$0.destination]?.underway.contains($0.place) != true
            }
            guard !oldest.isEmpty else { return }
            for beacon in oldest where spool.bytes > largestKept {
                try spool.remove([(beacon.place, beacon.size)])
                try spool.add(1, to: DropReason.evicted.rawValue, of: beacon.destination)
                effects.evicted.append(beacon)
            }
        }
    }

    /// Commits what there is at the end of the program, whatever is under way still, and logs what could not be.
    func commitLast(at now: Int64) {
        try? commit(at: now)
        guard isFaulty else { return }
        // A spool that is found damaged is opened anew by the next commit.
        try? commit(at: now)
        guard isFaulty else { return }
        if !changes.delivered.isEmpty {
            host.log(
                .warning,
                "the spool could not be written to the end: \(changes.delivered.count) beacons that were answered are "
                    + "still in it, and go out again"
            )
        }
        guard !changes.taken.isEmpty else { return }
        host.log(
            .error,
            "the spool could not be written to the end: \(changes.taken.count) beacons that were taken are not in it; "
                + "a replay of the archive brings them back"
        )
    }

    /// Gives up and logs what is gone with the program when there is no file that keeps it.
    func giveUpGone() {
        guard configuration.spool == nil, let gone = try? spool.giveUpGone(), gone > 0 else { return }
        host.log(
            configuration.tolerated.contains(.gone) ? .warning : .error,
            "\(gone) beacons were not sent and are gone with the program: set \"spool\" to a file that keeps them, or "
                + "\"drain_ms\" to a longer time"
        )
    }

    // MARK: - After a commit

    private func resolve(_ effects: CommitEffects) {
        if configuration.settled == .committed { settlement.settle(upTo: spool.lastPlace) }
        for beacon in effects.known { settlement.removeUncommitted(beacon) }
        // What came in this commit may have been too much for the spool, too.
        let gone = Set(effects.evicted.map(\.place))
        for beacon in effects.placed {
            settlement.commit(beacon)
            guard !gone.contains(beacon.place) else { continue }
            destinations[beacon.destination, default: Destination(beacon.destination, hasMore: false)].enqueue(beacon)
        }
        for name in Set(effects.evicted.map(\.destination)) {
            _ = destinations[name]?.remove { gone.contains($0.place) }
        }
        for beacon in effects.evicted { settlement.removeDropped(beacon) }
    }

    /// Lets as much come in as was committed, and as there is room for in the spool.
    func release(_ taken: [StoredBeacon]) {
        let bytes = taken.reduce(0) { $0 + $1.size }
        let isReady = inbox.with { inbox in
            inbox.bytes -= bytes
            inbox.spooled = spool.bytes
            inbox.largestSpool = largestTaken
            guard inbox.isFull, inbox.bytes < Inbox.largest / 2, !inbox.isSpoolFull else { return false }
            inbox.isFull = false
            return true
        }
        if isReady { host.ready() }
    }

    // MARK: - Faults

    private func fail(_ error: DatabaseError, at now: Int64) {
        faultDelay = min(max(2 * faultDelay, Self.afterFault.first), Self.afterFault.longest)
        commitDue = now + faultDelay
        isDamaged = isDamaged || error.kind == .damaged
        guard !isFaulty else { return }
        isFaulty = true
        host.log(.warning, "\(error); nothing is lost, what was taken waits in memory")
        inbox.with { inbox in
            inbox.stall = inbox.stall ?? Inbox.Stall(since: SystemClock.monotonic(), reason: error.description)
        }
    }

    /// Opens a spool anew that was found damaged: what can be read of it goes on.
    private func openAgain() throws(DatabaseError) {
        guard isDamaged, let path = configuration.spool else { return }
        // The old one has to let go of the file first.
        let (lastPlace, clock) = (spool.lastPlace, spool.clock)
        spool = try Spool(path: nil)
        spool = try SpoolRepair.openAgain(path, log: { self.host.log($0, $1) })
        spool.clock = clock
        // What is in memory keeps its places, and they are nobody else's.
        try spool.reserve(upTo: lastPlace)
        isDamaged = false
        readAgain(try spool.destinations())
    }

    /// Has the spool read again, for destinations that got beacons from elsewhere.
    func readAgain(_ names: [String]) {
        for name in names { destinations[name, default: Destination(name, hasMore: true)].hasMore = true }
    }
}

/// Changes of the spool that wait for the next commit.
struct PendingChanges {
    /// A lasting count.
    struct Counter: Hashable {
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
