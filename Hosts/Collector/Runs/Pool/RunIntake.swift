internal import System

/// What runs are open, and up to where the lines of those in Tally's own form have come: what is admitted once, and
/// what is safe.
///
/// Any thread. A line is admitted when a batch with it comes for the first time; it is safe when the journal has it.
package final class RunIntake: Sendable {
    /// What becomes of a batch.
    package enum Admission: Equatable, Sendable {
        /// Its lines beyond this number are new.
        case beyond(UInt64)
        /// Lines before it are missing: the player sends them first.
        case missing(safe: UInt64)
        /// The run is over: the player begins another.
        case over(safe: UInt64)
        /// No such run is known, and what comes does not begin it: lines up to here are missing.
        case unknown(missing: UInt64)
        /// The tenant has as many open runs as it may have.
        case full
    }

    /// What becomes of reports of a run in another form than Tally's own.
    package enum Opening: Equatable, Sendable {
        /// They are of a run that is open.
        case open
        /// A run begins with them.
        case begun
        /// The tenant has as many open runs as it may have.
        case full
    }

    private struct Run {
        var admitted: UInt64 = 0
        var safe: UInt64 = 0
        /// When something came last, us since 1970.
        var heard: Int64 = 0
    }

    /// What is known of a run that is over: there are hundreds of thousands of them.
    private struct RunOver {
        var safe: UInt64
        let heard: Int64
    }

    private struct Shard {
        var runs: [RunKey: Run] = [:]
        /// By a digest of the key.
        ///
        /// Should two runs ever have the same, the later one's player is told to begin another.
        var over: [Int: RunOver] = [:]
        /// When those of long ago are looked for, us since 1970.
        var forgetsAt: Int64 = 0

        /// Puts an open run among those that are over; false when it is none.
        @discardableResult
        mutating func end(_ key: RunKey) -> Bool {
            guard let run = runs.removeValue(forKey: key) else { return false }
            // In other forms than Tally's own a session that goes on is another run: nothing of this one is needed.
            if key.form == .native { over[key.hashValue] = RunOver(safe: run.safe, heard: run.heard) }
            return true
        }
    }

    private static let shardCount = 64
    /// How long it is known that a run was, us: longer than a player tries to send its lines.
    private static let keptFor: Int64 = 26 * 3_600_000_000
    /// How often those that are older are looked for, us.
    private static let forgetInterval: Int64 = 1_800_000_000

    private let shards: [Lock<Shard>]
    private let open = Lock<[String: Int]>([:])

    package init() { shards = (0..<Self.shardCount).map { _ in Lock(Shard()) } }

    private func shard(_ key: RunKey) -> Lock<Shard> {
        shards[Int(UInt(bitPattern: key.hashValue) % UInt(Self.shardCount))]
    }

    /// How many runs of a tenant are open.
    package func openRuns(of tenant: String) -> Int { open.with { $0[tenant] ?? 0 } }

    /// Knows a run of an earlier process.
    package func restore(_ key: RunKey, safe: UInt64, isOver: Bool, heard: Int64) {
        let change = shard(key).with { shard -> Int in
            let known = shard.over[key.hashValue]
            if isOver || known != nil {
                let wasOpen = shard.runs.removeValue(forKey: key) != nil
                let (last, time) = (max(known?.safe ?? 0, safe), max(known?.heard ?? 0, heard))
                shard.over[key.hashValue] = RunOver(safe: last, heard: time)
                return wasOpen ? -1 : 0
            }
            let before = shard.runs[key]
            let last = max(before?.safe ?? 0, safe)
            shard.runs[key] = Run(admitted: last, safe: last, heard: max(before?.heard ?? 0, heard))
            return before == nil ? 1 : 0
        }
        if change != 0 { count(key, change) }
    }

    private func count(_ key: RunKey, _ change: Int) {
        open.with { $0[key.tenant] = ($0[key.tenant] ?? 0) + change }
    }

    /// Admits the lines of a batch that are new.
    ///
    /// `first` and `last` are the numbers of its lines, 0 when it has none; the player has given up what comes up to
    /// `lost`; the tenant may have `limit` open runs; `now` is us since 1970.
    ///
    /// - Returns: which of its lines are new, or why none is.
    package func admit(
        _ key: RunKey,
        first: UInt64,
        last: UInt64,
        lost: UInt64,
        limit: Int,
        now: Int64
    ) -> Admission {
        let isFull = openRuns(of: key.tenant) >= limit
        let (admission, isNew) = shard(key).with { shard -> (Admission, Bool) in
            if let over = shard.over[key.hashValue] { return (.over(safe: over.safe), false) }
            guard var run = shard.runs[key] else {
                // What follows lines that nobody knows may be of a run of long ago.
                guard first <= lost + 1 else { return (.unknown(missing: first - 1), false) }
                guard !isFull else { return (.full, false) }
                shard.runs[key] = Run(admitted: max(last, lost), heard: now)
                return (.beyond(0), true)
            }
            let reached = max(run.admitted, lost)
            guard first <= reached + 1 else { return (.missing(safe: run.safe), false) }
            defer { shard.runs[key] = run }
            run.heard = now
            let before = run.admitted
            run.admitted = max(reached, last)
            return (.beyond(before), false)
        }
        if isNew { count(key, 1) }
        return admission
    }

    /// Admits reports of a run in another form than Tally's own, which begins with the first of them.
    ///
    /// `limit` is how many open runs the tenant may have, `now` us since 1970.
    ///
    /// - Returns: whether they may be taken; what begins with them is withdrawn when they do not become safe.
    package func admit(_ key: RunKey, limit: Int, now: Int64) -> Opening {
        let isFull = openRuns(of: key.tenant) >= limit
        let opening = shard(key).with { shard -> Opening in
            if var run = shard.runs[key] {
                run.heard = now
                shard.runs[key] = run
                return .open
            }
            guard !isFull else { return .full }
            shard.runs[key] = Run(heard: now)
            return .begun
        }
        if opening == .begun { count(key, 1) }
        return opening
    }

    /// Knows that a run in another form than Tally's own is open: one may begin anew with what was admitted as the last
    /// of the run before it.
    func begin(_ key: RunKey, now: Int64) { _ = admit(key, limit: .max, now: now) }

    /// Notes that a run's admitted lines up to one are safe.
    ///
    /// - Returns: up to where all is safe.
    package func confirm(_ key: RunKey, upTo last: UInt64) -> UInt64 {
        shard(key).with { shard in
            if let over = shard.over[key.hashValue] {
                shard.over[key.hashValue]?.safe = max(over.safe, last)
                return max(over.safe, last)
            }
            guard var run = shard.runs[key] else { return last }
            run.safe = max(run.safe, last)
            shard.runs[key] = run
            return run.safe
        }
    }

    /// Takes back what was admitted and did not become safe.
    package func withdraw(_ key: RunKey) {
        let isGone = shard(key).with { shard -> Bool in
            guard var run = shard.runs[key] else { return false }
            run.admitted = run.safe
            shard.runs[key] = run.safe == 0 ? nil : run
            return run.safe == 0
        }
        if isGone { count(key, -1) }
    }

    /// Ends a run that nothing came of for long, unless lines beyond `last` were admitted and are on their way to it.
    ///
    /// - Returns: whether it is over.
    package func close(_ key: RunKey, behind last: UInt64) -> Bool {
        let isOver = shard(key).with { shard -> Bool? in
            guard let run = shard.runs[key] else { return nil }
            guard run.admitted <= last else { return false }
            shard.end(key)
            return true
        }
        if isOver == true { count(key, -1) }
        return isOver ?? true
    }

    /// Notes that a run is over.
    package func end(_ key: RunKey) {
        if shard(key).with({ $0.end(key) }) { count(key, -1) }
    }

    /// Forgets runs that were over long ago.
    package func forget(before now: Int64) {
        for shard in shards {
            shard.with { shard in
                guard now >= shard.forgetsAt else { return }
                shard.forgetsAt = now + Self.forgetInterval
                shard.over = shard.over.filter { now - $0.value.heard < Self.keptFor }
            }
        }
    }
}
