internal import PluginKit

/// Which sessions have beacons that are not settled, and who waits for that.
///
/// Only beacons that came since the sender began are waited for: those of an earlier process, and dead letters that are
/// sent again, may be of the same sessions, and their places say which they are.
struct Settlement {
    private struct Session: Hashable {
        let run: String
        let session: UInt32
    }

    /// Beacons of a session that are not settled.
    private struct Outstanding {
        /// Taken, and not yet in the spool.
        var uncommitted: UInt64 = 0
        /// In the spool, and not answered.
        var committed: UInt64 = 0
    }

    /// An answer that is due.
    struct Answer {
        let request: FlushRequest
        /// Beacons that are in the spool, and will be sent later.
        let kept: UInt64
        /// Beacons that are gone with the program.
        let lost: UInt64
    }

    /// What becomes of beacons that are not settled.
    enum End {
        /// None: the sender goes on.
        case none
        /// The sender ends, and the spool keeps what is committed.
        case keeping
        /// The sender ends, and the spool with it.
        case losing
    }

    /// The longest time that anybody waits, ms; hosts wait for much less.
    private static let longestWait: Int64 = 86_400_000

    private var outstanding: [Session: Outstanding] = [:]
    private var waits: [(request: FlushRequest, limit: Int64)] = []
    /// Nobody waits for beacons up to this place.
    private var settledUpTo: Int64
    /// Places behind it that nobody waits for either: of dead letters that are sent again.
    private var revived: [ClosedRange<Int64>] = []
    /// Since the answer before.
    private(set) var delivered: UInt64 = 0
    private(set) var dropped: UInt64 = 0

    /// Begins behind the last place that an earlier process gave.
    init(behind place: Int64) { settledUpTo = place }

    /// Whether anybody waits.
    var isAwaited: Bool { !waits.isEmpty }

    /// How many beacons are taken and not in the spool.
    var uncommitted: Int { outstanding.values.reduce(0) { $0 + Int($1.uncommitted) } }

    /// When the next of those who wait has to be answered, ms; who waits for a commit is answered behind it.
    func nextLimit(after now: Int64) -> Int64? { waits.map(\.limit).filter { $0 > now }.min() }

    // MARK: - Beacons

    /// Counts a beacon that was taken.
    mutating func add(_ beacon: StoredBeacon) { outstanding[session(beacon), default: Outstanding()].uncommitted += 1 }

    /// Counts a beacon that was taken as safely in the spool, where it has its place now.
    mutating func commit(_ beacon: StoredBeacon) {
        removeUncommitted(beacon)
        if isAwaited(beacon) { outstanding[session(beacon), default: Outstanding()].committed += 1 }
    }

    /// Ends the wait for a beacon that was just taken: the spool has taken it before.
    mutating func removeUncommitted(_ beacon: StoredBeacon) { decrease(\.uncommitted, of: session(beacon)) }

    /// Ends the wait for a beacon that a server took.
    mutating func removeDelivered(_ beacon: StoredBeacon) {
        delivered += 1
        removeCommitted(beacon)
    }

    /// Ends the wait for a beacon that is given up.
    mutating func removeDropped(_ beacon: StoredBeacon) {
        dropped += 1
        removeCommitted(beacon)
    }

    /// Ends the wait for all beacons of a run, or of one of its sessions, that are in the spool: they are erased.
    mutating func removeErased(run: String, session: Int64?) {
        for (key, left) in outstanding
        where key.run == run && (session == nil || Int64(key.session) == session) {
            dropped += left.committed
            outstanding[key] = left.uncommitted > 0 ? Outstanding(uncommitted: left.uncommitted) : nil
        }
    }

    /// Counts beacons that never came to the sender.
    mutating func countDropped(_ count: UInt64) { dropped += count }

    /// Ends the wait for all beacons up to a place: that they are in the spool is enough.
    mutating func settle(upTo place: Int64) {
        guard place > settledUpTo else { return }
        settledUpTo = place
        revived.removeAll { $0.upperBound <= place }
        for (key, left) in outstanding where left.committed > 0 {
            outstanding[key] = left.uncommitted > 0 ? Outstanding(uncommitted: left.uncommitted) : nil
        }
    }

    /// Says that nobody waits for beacons at these places: they are dead letters that are sent again.
    mutating func exclude(_ places: ClosedRange<Int64>) { revived.append(places) }

    // MARK: - Answers

    mutating func wait(_ request: FlushRequest, now: Int64) {
        // A little before the host gives up by itself.
        waits.append((request, now + min(max(100, request.budgetMilliseconds), Self.longestWait) - 100))
    }

    /// The answers that are due; the counts begin anew with each.
    ///
    /// While the sender goes on nobody is told that a beacon is kept that is not in the spool: who asks hears it behind
    /// the commit, or not in time.
    mutating func answers(now: Int64, _ end: End) -> [Answer] {
        var due: [Answer] = []
        waits.removeAll { wait in
            var left = Outstanding()
            for (key, value) in outstanding
            where key.run == wait.request.playerRunID
                && (wait.request.session == 0 || key.session == wait.request.session)
            {
                left.uncommitted += value.uncommitted
                left.committed += value.committed
            }
            let answer: Answer
            switch end {
            case .none:
                guard left.uncommitted == 0, left.committed == 0 || now >= wait.limit else { return false }
                answer = Answer(request: wait.request, kept: left.committed, lost: 0)
            case .keeping: answer = Answer(request: wait.request, kept: left.committed, lost: left.uncommitted)
            case .losing:
                answer = Answer(request: wait.request, kept: 0, lost: left.committed + left.uncommitted)
            }
            due.append(answer)
            return true
        }
        return due
    }

    /// Begins the counts anew, after an answer.
    mutating func reset() {
        delivered = 0
        dropped = 0
    }

    // MARK: - Parts

    /// Whether a beacon with a place came since the sender began, and its answer is waited for.
    private func isAwaited(_ beacon: StoredBeacon) -> Bool {
        beacon.place > settledUpTo && !revived.contains { $0.contains(beacon.place) }
    }

    private mutating func removeCommitted(_ beacon: StoredBeacon) {
        if isAwaited(beacon) { decrease(\.committed, of: session(beacon)) }
    }

    /// Lowers a count by one.
    ///
    /// A beacon that was never counted is a mistake here, and no reason to end the player.
    private mutating func decrease(_ count: WritableKeyPath<Outstanding, UInt64>, of session: Session) {
        guard var left = outstanding[session], left[keyPath: count] > 0 else {
            assertionFailure("a beacon of session \(session.session) was settled that was not waited for")
            return
        }
        left[keyPath: count] -= 1
        outstanding[session] = left.uncommitted + left.committed > 0 ? left : nil
    }

    private func session(_ beacon: StoredBeacon) -> Session {
        Session(run: beacon.identity.run, session: beacon.content.session)
    }
}
