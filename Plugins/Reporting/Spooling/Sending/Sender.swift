internal import Database
internal import PluginKit
internal import Threads

/// Commits what was taken, sends it, and removes it as the servers answer.
///
/// It has a thread of its own, and commits another, on which the spool is used then.
package final class Sender: @unchecked Sendable {
    /// How often a host hears at the end that there is still something to do, ms.
    private static let signInterval: Int64 = 250
    /// How long what is under way when the time is over are waited for, ms.
    private static let grace: Int64 = 1_000
    /// How long the spool has been full when it is said first, and how often it is said then, ms.
    private static let heldDelay: Int64 = 1_000
    private static let heldInterval: Int64 = 60_000

    var options: SpoolOptions
    let carrier: any Carrier
    let host: ReporterHost
    let inbox: Guarded<Inbox>
    var random = SystemRandomNumberGenerator()

    var spool: Spool
    var changes = PendingChanges()
    /// The thread of commits; nil when the sender commits by itself.
    var commits: CommitThread?
    /// What is committed now, while the spool is that thread's alone; nil when nothing is.
    var underCommit: PendingChanges?
    /// When changes have to be committed; nil when there are none.
    var commitDue: Int64?
    /// Whether the last commit failed.
    var isFaulty = false
    /// How long it is waited after that, ms.
    var faultDelay: Int64 = 0
    /// Whether the spool was found damaged, and is to be opened anew.
    var isDamaged = false
    private(set) var destinations: [String: Destination] = [:]
    /// Places of beacons that were erased while they were under way.
    var erasedUnderway: Set<Int64> = []
    var settlement: Settlement
    /// The lasting counts by name as they were before all that ``totals()`` tells of.
    private let countsBefore: [String: Int64]
    /// How many beacons waited then.
    private let found: Int64
    private var warned: Set<String> = []
    /// When the host was last told that the sender still works.
    private var lastSign: Int64 = 0
    /// When it is said next that the spool is full; nil when it was not yet.
    private var heldLineDue: Int64?

    init(
        _ options: SpoolOptions,
        _ spool: Spool,
        _ carrier: any Carrier,
        _ host: ReporterHost,
        _ inbox: Guarded<Inbox>
    ) throws(DatabaseError) {
        self.options = options
        self.spool = spool
        settlement = Settlement(behind: spool.lastPlace)
        self.carrier = carrier
        self.host = host
        self.inbox = inbox
        let totals = inbox.with(\.totals)
        countsBefore = DeliveryTotals.difference(try spool.countsByName(), totals.counts)
        let waiting = try spool.sizes().waiting
        found = totals.found ?? waiting
        readAgain(try spool.destinations())
    }

    /// Works until the inbox says that it is to end.
    func run() {
        commits = CommitThread { [carrier] in carrier.wake() }
        while true {
            let now = clock.now()
            let end = receive(at: now)
            completeCommit(at: now)
            let isDraining = end.map { now < $0 } ?? true
            let isHeld = inbox.with(\.isHeld)
            if isHeld { sayHeld(at: now) }
            if isHeld || end != nil { sayAlive(at: now) }
            // What is begun now could only be cut.
            if isDraining { send(at: now) }
            // Behind the sends, for which the spool is read.
            commitIfDue(at: now, isEnding: end != nil)
            carrier.perform { finish($0, $1, at: clock.now()) }
            answer(at: now)
            if let end, isOver(at: now, end) { break }
            let wait = nextWait(at: now, end: end, isHeld: isHeld)
            if wait > 0 { carrier.wait(milliseconds: wait) }
        }
        commitLast(at: clock.now())
        commits?.end()
        giveUpGone()
        if let totals = try? totals() { inbox.with { $0.totals = totals } }
        answer(at: clock.now(), options.spool == nil ? .losing : .keeping)
    }

    /// Says what a replay waits for: not at once, since a server that is well soon makes room.
    private func sayHeld(at now: Int64) {
        let due = heldLineDue ?? now + Self.heldDelay
        heldLineDue = now < due ? due : now + Self.heldInterval
        guard now >= due else { return }
        let failing = destinations.values.filter { $0.breaker.failures > 0 }.sorted { $0.name < $1.name }
        let reasons = failing.map { "\($0.name) fails: \($0.lastFailure)" }.joined(separator: "; ")
        host.log(
            .warning,
            "the spool is full (\(options.largest >> 20) MiB): nothing more is taken until servers have taken some "
                + "of it" + (reasons.isEmpty ? "" : " (\(reasons))")
        )
    }

    /// Has the host wait while the last beacons go out, or there is no room for more.
    private func sayAlive(at now: Int64) {
        guard now - lastSign >= Self.signInterval else { return }
        lastSign = now
        host.ready()
    }

    // MARK: - In

    /// Takes over what came in, and gives when it has to end.
    private func receive(at now: Int64) -> Int64? {
        let (work, end) = inbox.with { inbox -> (Inbox?, Int64?) in
            guard inbox.hasWork else { return (nil, inbox.end) }
            let work = inbox
            inbox.beacons = []
            inbox.flushes = []
            inbox.questions = []
            inbox.lost = 0
            inbox.refused = 0
            return (work, inbox.end)
        }
        guard let work else { return end }
        for beacon in work.beacons { settlement.add(beacon) }
        changes.taken.append(contentsOf: work.beacons)
        countDrops(work.lost, .queueFull)
        countDrops(work.refused, .unwritable)
        for request in work.flushes { settlement.wait(request, now: now) }
        if !changes.isEmpty { scheduleCommit(at: now) }
        for question in work.questions { answer(question) }
        return end
    }

    /// Counts outputs that never came here; of which destination is not known.
    private func countDrops(_ number: Int64, _ reason: DropReason) {
        guard number > 0 else { return }
        count(number, reason.rawValue, of: "")
        // What its queue lost, the host adds to the answer by itself.
        if reason != .queueFull { settlement.countDropped(UInt64(number)) }
    }

    private func answer(_ question: Inbox.Question) {
        finishCommit(at: clock.now())
        let answer: Result<JSONValue, CommandError>
        do throws(CommandError) {
            answer = .success(try question.body(self))
        } catch {
            answer = .failure(error)
        }
        inbox.with { $0.answers[question.number] = answer }
    }

    // MARK: - Parts

    /// The time that all waits and ages are of.
    var clock: SpoolClock { spool.clock }

    /// A destination by its name, which begins with nothing that waits.
    func destination(_ name: String) -> Destination {
        if let destination = destinations[name] { return destination }
        let destination = Destination(name, window: carrier.window)
        destinations[name] = destination
        return destination
    }

    func count(_ number: Int64, _ name: String, of destination: String) {
        changes.counts[PendingChanges.Counter(destination: destination, name: name), default: 0] += number
    }

    /// Has changes committed in time.
    func scheduleCommit(at now: Int64) {
        commitDue = commitDue ?? now + options.commitInterval
    }

    /// Logs a warning, each key's once.
    func warnOnce(_ key: String, _ text: String) {
        if warned.insert(key).inserted { host.log(.warning, text) }
    }

    /// What became of beacons since the reporter was made, as the spool has it: what is not committed may happen again.
    ///
    /// Outputs that never came are in no spool, and count at once.
    func totals() throws(DatabaseError) -> DeliveryTotals {
        var counts = try spool.countsByName()
        for name in DropReason.ofHost.map(\.rawValue) {
            counts[name, default: 0] += changes.counts[PendingChanges.Counter(destination: "", name: name)] ?? 0
        }
        let (waiting, dead) = try spool.sizes()
        return DeliveryTotals(
            found: found,
            counts: DeliveryTotals.difference(counts, countsBefore),
            waiting: waiting,
            dead: dead
        )
    }

    private func answer(at now: Int64, _ end: Settlement.End = .none) {
        guard settlement.isAwaited else { return }
        for answer in settlement.answers(now: now, end) {
            host.answer(
                answer.request,
                delivered: settlement.delivered,
                kept: answer.kept,
                dropped: settlement.dropped + answer.lost
            )
            settlement.reset()
        }
    }

    /// Whether the sender ends: nothing more may begin, and what is under way has had its time or none is.
    private func isOver(at now: Int64, _ end: Int64) -> Bool {
        now < end ? isIdle(until: end) : carrier.count == 0 || now >= end + Self.grace
    }

    /// Whether nothing is under way, and nothing waits that could go before a time.
    private func isIdle(until end: Int64) -> Bool {
        guard carrier.count == 0, changes.isEmpty, underCommit == nil else { return false }
        return options.quiet
            || destinations.values.allSatisfy { $0.nextTime(concurrency: 1) ?? .max >= end && !$0.isLow }
    }

    private func nextWait(at now: Int64, end: Int64?, isHeld: Bool) -> Int64 {
        var next = now + 1_000
        // The end of a commit wakes the sender: what is due behind it is no reason to look before.
        if let commitDue, underCommit == nil { next = min(next, commitDue) }
        if let end { next = min(next, now < end ? end : end + Self.grace) }
        if end != nil || isHeld { next = min(next, now + Self.signInterval) }
        if let limit = settlement.nextLimit(after: now) { next = min(next, limit) }
        if carrier.count < carrier.limits.all, maySend, !options.quiet, end.map({ now < $0 }) ?? true {
            for destination in destinations.values {
                if let time = destination.nextTime(concurrency: carrier.limits.one) { next = min(next, time) }
            }
        }
        return max(0, next - now)
    }
}
