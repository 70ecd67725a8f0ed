internal import PluginKit

/// Which sessions have beacons that are not settled, and who waits for that.
struct Settlement {
    private struct Session: Hashable {
        let run: String
        let session: UInt32
    }

    /// Beacons of a session that are not settled.
    private struct Outstanding {
        var count: UInt64 = 0
        /// How many of them are not committed to the spool.
        var uncommitted: UInt64 = 0
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

    private var outstanding: [Session: Outstanding] = [:]
    private var waits: [(request: FlushRequest, limit: Int64)] = []
    /// Since the answer before.
    private(set) var delivered: UInt64 = 0
    private(set) var dropped: UInt64 = 0

    /// Whether anybody waits.
    var isAwaited: Bool { !waits.isEmpty }

    /// When the next of those who wait has to be answered, ms since 1970; who waits for a commit is answered behind it.
    func nextLimit(after now: Int64) -> Int64? { waits.map(\.limit).filter { $0 > now }.min() }

    mutating func add(_ beacon: StoredBeacon) {
        let session = session(beacon)
        outstanding[session, default: Outstanding()].count += 1
        outstanding[session]?.uncommitted += 1
    }

    /// Counts a beacon as safely in the spool.
    mutating func commit(_ beacon: StoredBeacon) { outstanding[session(beacon)]?.uncommitted -= 1 }

    /// Ends the wait for a beacon; one of an earlier process was never waited for.
    mutating func remove(_ beacon: StoredBeacon) {
        let session = session(beacon)
        guard let count = outstanding[session]?.count else { return }
        outstanding[session]?.count -= 1
        if count == 1 { outstanding[session] = nil }
    }

    /// Ends the wait for a beacon that a server took.
    mutating func removeDelivered(_ beacon: StoredBeacon) {
        delivered += 1
        remove(beacon)
    }

    /// Ends the wait for a beacon that is given up.
    mutating func removeDropped(_ beacon: StoredBeacon) {
        dropped += 1
        remove(beacon)
    }

    mutating func countDropped(_ count: UInt64) { dropped += count }

    mutating func wait(_ request: FlushRequest, now: Int64) {
        // A little before the host gives up by itself.
        waits.append((request, now + max(0, request.budgetMilliseconds - 100)))
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
                left.count += value.count
                left.uncommitted += value.uncommitted
            }
            let lost: UInt64
            switch end {
            case .none:
                guard left.count == 0 || now >= wait.limit && left.uncommitted == 0 else { return false }
                lost = 0
            case .keeping: lost = left.uncommitted
            case .losing: lost = left.count
            }
            due.append(Answer(request: wait.request, kept: left.count - lost, lost: lost))
            return true
        }
        return due
    }

    /// Begins the counts anew, after an answer.
    mutating func reset() {
        delivered = 0
        dropped = 0
    }

    private func session(_ beacon: StoredBeacon) -> Session {
        Session(run: beacon.identity.run, session: beacon.content.session)
    }
}
