internal import Database
internal import PluginKit
internal import Threads

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

    /// Draws the consequences of the commit that was under way, if it is over.
    func completeCommit(at now: Int64) {
        if underCommit != nil, let outcome = commits?.outcome() { try? complete(outcome, at: now) }
    }

    /// Begins a commit when it is time for one and none is under way.
    func commitIfDue(at now: Int64, isEnding: Bool) {
        guard underCommit == nil, let due = commitDue else { return }
        // Who waits for a session waits for what was taken of it; that a server answered can be written later.
        let isHurried = (isEnding || settlement.isAwaited) && !changes.taken.isEmpty
        let isWanted = changes.count >= Self.batch || isHurried || isEnding && carrier.count == 0
        guard now >= due || isWanted && !isFaulty else { return }
        guard let commits, !changes.isEmpty, !isDamaged, !needsRoom else {
            try? commit(at: now)
            return
        }
        // What is in memory lasts for sending while so much is written.
        let part = changes.removeFirst(max(Self.batch, carrier.window.beacons / 4))
        commitDue = changes.isEmpty ? nil : now
        underCommit = part
        commits.begin { [spool, largestDead] () throws(DatabaseError) in
            try Self.commit(part, to: spool, largestDead: largestDead)
        }
    }

    /// Writes all changes in one transaction; when that fails they wait, and so does everything behind them.
    func commit(at now: Int64) throws(DatabaseError) {
        finishCommit(at: now)
        guard !changes.isEmpty || spool.bytes > largestKept else {
            commitDue = nil
            return
        }
        let outcome: CommitThread.Outcome
        do throws(DatabaseError) {
            try openAgain()
            outcome = .success(
                try Self.commit(changes, to: spool, largestDead: largestDead) { (effects) throws(DatabaseError) in
                    try evict(&effects)
                }
            )
        } catch {
            outcome = .failure(error)
        }
        underCommit = changes
        changes = PendingChanges()
        commitDue = nil
        try complete(outcome, at: now)
    }

    /// Waits for the commit that is under way: nothing else may use the spool meanwhile.
    func finishCommit(at now: Int64) {
        if underCommit != nil, let outcome = commits?.finish() { try? complete(outcome, at: now) }
    }

    /// Draws the consequences of a commit.
    private func complete(_ outcome: CommitThread.Outcome, at now: Int64) throws(DatabaseError) {
        guard let committed = underCommit else { return }
        underCommit = nil
        let effects: CommitEffects
        do throws(DatabaseError) {
            effects = try outcome.get()
        } catch {
            changes.putBefore(committed)
            fail(error, at: now)
            throw error
        }
        if isFaulty {
            isFaulty = false
            faultDelay = 0
            inbox.with { $0.stall = nil }
            host.log(.info, "the spool can be written again")
        }
        resolve(effects)
        release(committed.taken)
        assert(settlement.uncommitted == changes.taken.count, "beacons are waited for that are not in the spool")
    }

    /// Writes changes in one transaction, all or none, with what else belongs to it.
    private static func commit(
        _ changes: PendingChanges,
        to spool: Spool,
        largestDead: Int64,
        _ more: (inout CommitEffects) throws(DatabaseError) -> Void = { _ in }
    ) throws(DatabaseError) -> CommitEffects {
        do throws(DatabaseError) {
            var effects = CommitEffects()
            try spool.begin()
            try spool.write(changes, &effects)
            try more(&effects)
            try spool.trimDead(to: largestDead)
            try spool.commit()
            return effects
        } catch {
            spool.rollBack()
            throw error
        }
    }

    /// Whether beacons may have to make way, of which some are under way.
    private var needsRoom: Bool {
        let taken = changes.taken.reduce(0) { $0 + Int64($1.size) }
        return !host.waitsForRoom && spool.bytes + taken > options.largest
    }

    private var largestDead: Int64 { options.largest / 4 }

    /// What a spool may have before the oldest beacons make way, bytes; where the host waits none has to.
    private var largestKept: Int64 { host.waitsForRoom ? .max : options.largest }

    /// What a spool may have before nothing more is taken, bytes.
    var largestTaken: Int64 { host.waitsForRoom ? options.largest : .max }

    /// Makes room by removing what was taken first, unless it is under way.
    private func evict(_ effects: inout CommitEffects) throws(DatabaseError) {
        while spool.bytes > largestKept {
            // At most so many are under way: of twice as many one is not, unless there are no more.
            let oldest = try spool.first(2 * carrier.limits.all).filter {
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
        guard options.spool == nil, let gone = try? spool.giveUpGone(), gone > 0 else { return }
        host.log(
            options.tolerated.contains(.gone) ? .warning : .error,
            "\(gone) beacons were not sent and are gone with the program: set \"spool\" to a file that keeps them, or "
                + "\"drain_ms\" to a longer time"
        )
    }

    // MARK: - After a commit

    private func resolve(_ effects: CommitEffects) {
        if options.settled == .committed { settlement.settle(upTo: spool.lastPlace) }
        for beacon in effects.known { settlement.removeUncommitted(beacon) }
        // What came in this commit may have been too much for the spool, too.
        let gone = Set(effects.evicted.map(\.place))
        for beacon in effects.placed {
            settlement.commit(beacon)
            guard !gone.contains(beacon.place) else { continue }
            destination(beacon.destination).enqueue(beacon)
        }
        for name in Set(effects.evicted.map(\.destination)) {
            destinations[name]?.remove { gone.contains($0.place) }
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
        guard isDamaged, let path = options.spool else { return }
        // The old one has to let go of the file first.
        let (lastPlace, clock) = (spool.lastPlace, spool.clock)
        spool = try Spool(path: nil, options.kind)
        spool = try SpoolRepair.openAgain(path, options.kind, log: { self.host.log($0, $1) })
        spool.clock = clock
        // What is in memory keeps its places, and they are nobody else's.
        try spool.reserve(upTo: lastPlace)
        isDamaged = false
        readAgain(try spool.destinations())
    }

    /// Has the spool read again, for destinations that got beacons from elsewhere.
    func readAgain(_ names: [String]) {
        for name in names { destination(name).hasMore = true }
    }
}
