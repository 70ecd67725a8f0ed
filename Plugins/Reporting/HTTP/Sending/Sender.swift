internal import Database
internal import PluginKit

/// Commits what was taken, sends it, and settles it with what the servers answer; all on a thread of its own.
final class Sender: @unchecked Sendable {
    /// A secret that was read, with what carries it.
    typealias Secret = (carrier: CredentialSource.Carrier, text: String)

    /// Changes that are committed before their time.
    private static let batch = 1_000
    /// Requests under way to all destinations together.
    static let underway = 64
    /// How long a beacon waits whose secret is not there, ms.
    static let withoutSecret: Int64 = 60_000
    /// How long the spool waits after it could not be written, ms.
    private static let afterFault: Int64 = 1_000
    /// How long it is known that a beacon was taken, ms: 30 days.
    private static let memory: Int64 = 2_592_000_000

    let configuration: HTTPConfiguration
    let spool: Spool
    let secrets: [String: Secret]
    let pool: TransferPool
    let host: ReporterHost
    private let inbox: Guarded<Inbox>
    var random = SystemRandomNumberGenerator()

    private var changes: [Change] = []
    private var counts: [Counter: Int64] = [:]
    private var commitDue: Int64?
    private var isFaulty = false
    var destinations: [String: Destination] = [:]
    var settlement = Settlement()
    private var told: Set<String> = []

    private struct Counter: Hashable {
        let destination: String
        let name: String
    }

    init(
        _ configuration: HTTPConfiguration,
        spool: Spool,
        pool: TransferPool,
        secrets: [String: Secret],
        host: ReporterHost,
        inbox: Guarded<Inbox>
    ) throws(DatabaseError) {
        self.configuration = configuration
        self.spool = spool
        self.pool = pool
        self.secrets = secrets
        self.host = host
        self.inbox = inbox
        try spool.forget(before: WallClock.now() - Self.memory)
        for name in try spool.destinations() {
            destinations[name] = Destination(name)
        }
    }

    /// Works until the inbox says that it is to end.
    func run() {
        while true {
            let now = WallClock.now()
            let end = receive(at: now)
            commitIfDue(at: now, isEnding: end != nil)
            let isDraining = end.map { now < $0 } ?? true
            if isDraining {
                send(at: now)
            }
            pool.perform { settle($0, $1, at: WallClock.now()) }
            answer(at: now, isEnding: !isDraining)
            if let end, now >= end || isIdle(until: end) {
                break
            }
            pool.wait(milliseconds: nextWait(at: now, end: end))
        }
        commitIfDue(at: WallClock.now(), isEnding: true)
        answer(at: WallClock.now(), isEnding: true)
    }

    // MARK: - In

    /// Takes over what came in, and gives when it has to end.
    private func receive(at now: Int64) -> Int64? {
        let (work, questions) = inbox.with { inbox in
            let work = inbox
            inbox.beacons = []
            inbox.flushes = []
            inbox.questions = []
            inbox.lost = 0
            return (work, work.questions)
        }
        for beacon in work.beacons {
            changes.append(.take(beacon))
            settlement.take(beacon)
        }
        if work.lost > 0 {
            count(work.lost, DropReason.queueFull.rawValue, of: "")
            settlement.countDropped(UInt64(work.lost))
        }
        for request in work.flushes {
            settlement.wait(request, now: now)
        }
        if !changes.isEmpty, commitDue == nil {
            commitDue = now + configuration.commitInterval
        }
        for question in questions {
            let answer: Result<JSONValue, CommandError>
            do throws(CommandError) {
                answer = .success(try question.body(self))
            } catch {
                answer = .failure(error)
            }
            inbox.with { $0.answers[question.number] = answer }
        }
        return work.end
    }

    // MARK: - The spool

    private func commitIfDue(at now: Int64, isEnding: Bool) {
        guard let due = commitDue else { return }
        let isWanted = changes.count >= Self.batch || isEnding || settlement.isAwaited
        guard now >= due || isWanted && !isFaulty else { return }
        commit(at: now)
    }

    /// Writes all changes in one transaction; when that fails they wait, and so does everything behind them.
    func commit(at now: Int64) {
        let before = changes
        var taken: [StoredBeacon] = []
        do throws(DatabaseError) {
            try spool.begin()
            for change in before {
                try apply(change, at: now, &taken)
            }
            try evict(at: now)
            for (counter, number) in counts {
                try spool.add(number, to: counter.name, of: counter.destination)
            }
            try spool.commit()
        } catch {
            spool.rollBack()
            commitDue = now + Self.afterFault
            if !isFaulty {
                isFaulty = true
                host.log(.error, "\(error); nothing is lost, what was taken waits in memory")
            }
            return
        }
        if isFaulty {
            isFaulty = false
            host.log(.info, "the spool can be written again")
        }
        changes = []
        counts = [:]
        commitDue = nil
        release(before)
        for beacon in taken {
            place(beacon)
        }
    }

    private func apply(_ change: Change, at now: Int64, _ taken: inout [StoredBeacon]) throws(DatabaseError) {
        switch change {
        case .take(var beacon):
            guard let place = try spool.take(beacon, now: now) else {
                try spool.add(1, to: "already_taken", of: beacon.destination)
                settlement.settle(beacon)
                return
            }
            beacon.place = place
            taken.append(beacon)
        case .remove(let beacon): try spool.remove(beacon)
        case .bury(let beacon, let reason, let status): try spool.bury(beacon, reason, status: status, now: now)
        case .postpone(let beacon): try spool.postpone(beacon)
        }
    }

    /// Makes room by removing what was taken first, unless it is under way.
    private func evict(at now: Int64) throws(DatabaseError) {
        while spool.bytes > configuration.largest, let oldest = try spool.first() {
            guard destinations[oldest.destination]?.underway.contains(oldest.place) != true else { return }
            try spool.remove(oldest)
            try spool.add(1, to: DropReason.evicted.rawValue, of: oldest.destination)
            _ = destinations[oldest.destination]?.remove { $0.place == oldest.place }
            settlement.settle(oldest)
            settlement.countDropped()
        }
    }

    /// Lets as much come in as was committed.
    private func release(_ committed: [Change]) {
        var bytes = 0
        for change in committed {
            if case .take(let beacon) = change {
                bytes += beacon.size
                if configuration.settled == .committed { settlement.settle(beacon) }
            }
        }
        let isReady = inbox.with { inbox in
            inbox.bytes -= bytes
            guard inbox.isFull, inbox.bytes < Inbox.largest / 2 else { return false }
            inbox.isFull = false
            return true
        }
        if isReady {
            host.ready()
        }
    }

    private func place(_ beacon: StoredBeacon) {
        var destination = destinations[beacon.destination] ?? Destination(new: beacon.destination)
        if !destination.hasMore, destination.inMemory < Destination.window {
            destination.append(beacon)
        } else {
            destination.hasMore = true
        }
        destinations[beacon.destination] = destination
    }

    /// Has the spool read again, for destinations that got beacons from elsewhere.
    func readAgain(_ names: [String]) {
        for name in names {
            destinations[name, default: Destination(name)].hasMore = true
        }
    }

    /// Drops beacons from memory that are gone from the spool; those under way cannot be called back.
    func forget(_ isGone: (StoredBeacon) -> Bool) {
        for name in destinations.keys {
            for beacon in destinations[name]?.remove(isGone) ?? [] {
                settlement.settle(beacon)
                settlement.countDropped()
            }
        }
    }

    // MARK: - Parts

    func note(_ change: Change) {
        changes.append(change)
        if commitDue == nil {
            commitDue = WallClock.now() + configuration.commitInterval
        }
    }

    func count(_ number: Int64, _ name: String, of destination: String) {
        counts[Counter(destination: destination, name: name), default: 0] += number
    }

    /// Says something once.
    func tell(_ key: String, _ text: String) {
        if told.insert(key).inserted {
            host.log(.warning, text)
        }
    }

    private func answer(at now: Int64, isEnding: Bool) {
        for answer in settlement.answers(now: now, isEnding: isEnding) {
            host.answer(
                answer.request,
                delivered: settlement.delivered,
                kept: answer.kept,
                dropped: settlement.dropped
            )
            settlement.reset()
        }
    }

    /// Whether nothing is under way, and nothing waits that could go before a time.
    private func isIdle(until end: Int64) -> Bool {
        pool.count == 0 && changes.isEmpty
            && destinations.values.allSatisfy { $0.nextTime(concurrency: 1) ?? .max >= end && !$0.hasMore }
    }

    private func nextWait(at now: Int64, end: Int64?) -> Int64 {
        var next = now + 1_000
        if let commitDue { next = min(next, commitDue) }
        if let end { next = min(next, end) }
        if let limit = settlement.nextLimit { next = min(next, limit) }
        if pool.count < Self.underway {
            for destination in destinations.values {
                if let time = destination.nextTime(concurrency: configuration.concurrency) { next = min(next, time) }
            }
        }
        return max(0, next - now)
    }
}
