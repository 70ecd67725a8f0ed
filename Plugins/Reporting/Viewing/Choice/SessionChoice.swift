internal import Metrics

/// Which sessions are kept of any number: the worst, the newest, and a fair share by the hash of their ids.
///
/// What is chosen follows from the sessions alone, and not from the order in which they come.
package final class SessionChoice {
    /// Why a session is kept.
    package enum Reason: String, CaseIterable, Sendable {
        /// It went worse than others.
        case worst
        /// It was loaded later than others.
        case newest
        /// The hash of its id is smaller than those of others.
        case sample
    }

    private let limits: [Reason: Int]
    private var ranks: [Reason: [KeptSession]] = [:]
    private let order: [Reason: (KeptSession, KeptSession) -> Bool]
    private let release: (KeptSession) -> Void

    /// Keeps so many sessions, two of five as the worst; `release` gets those that are kept no more.
    package init(limit: Int, release: @escaping (KeptSession) -> Void) {
        let share = limit * 3 / 10
        limits = [.worst: limit - 2 * share, .newest: share, .sample: share]
        self.release = release
        // Who goes first stands first; of equals the one with the larger hash.
        order = [
            .worst: { ($0.badness, $1.hash) < ($1.badness, $0.hash) },
            .newest: { ($0.loadedAt, $1.hash) < ($1.loadedAt, $0.hash) },
            .sample: { $0.hash > $1.hash },
        ]
    }

    /// The sessions that are kept.
    package var sessions: [KeptSession] { sessions(for: Reason.allCases) }

    /// Those that are kept for one of the reasons at least.
    func sessions(for reasons: [Reason]) -> [KeptSession] {
        var seen: Set<ObjectIdentifier> = []
        return reasons.flatMap { ranks[$0] ?? [] }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Why a session is kept, before which nothing was.
    package func reasons(for session: KeptSession) -> [Reason] {
        Reason.allCases.filter { reason in ranks[reason]?.contains { $0 === session } == true }
    }

    /// Keeps a session as long as no others come before it; false when it is not kept at all.
    package func add(_ session: KeptSession) -> Bool {
        var places = 0
        var gone: [KeptSession] = []
        for reason in Reason.allCases {
            guard let limit = limits[reason], limit > 0, let isBefore = order[reason] else { continue }
            var rank = ranks.removeValue(forKey: reason) ?? []
            defer { ranks[reason] = rank }
            if rank.count == limit, isBefore(session, rank[0]) { continue }
            var (low, high) = (0, rank.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(rank[middle], session) { low = middle + 1 } else { high = middle }
            }
            rank.insert(session, at: low)
            places += 1
            if rank.count > limit { gone.append(rank.removeFirst()) }
        }
        for session in gone where reasons(for: session).isEmpty { release(session) }
        return places > 0
    }

    /// Keeps those no more that the closure says.
    func removeAll(where isOver: (KeptSession) -> Bool) {
        for session in sessions where isOver(session) { release(session) }
        for reason in Reason.allCases { ranks[reason]?.removeAll(where: isOver) }
    }
}

/// Gives the packed data of a page, and waits for them where they are still being packed.
///
/// Once nobody has it any more, the page need not be packed.
package typealias PackedPage = () -> [UInt8]

/// A session as lists and pages have it.
package final class KeptSession {
    /// The player run.
    package let run: String
    /// Number in the run.
    package let number: UInt32
    /// Wall clock at the load, us since 1970.
    package let loadedAt: Int64
    /// When its end was heard of by the wall clock, us since 1970; 0 where that does not matter.
    package let endedAt: Int64
    /// How badly it went: the larger, the worse.
    package let badness: UInt64
    let hash: UInt64
    /// The row of the list, as JSON.
    package let row: [UInt8]
    /// The data of its page as they were made, until they are packed.
    private(set) var unpacked: [UInt8]?
    private var packed: PackedPage?

    /// The data of its page; nil when it has none.
    ///
    /// It waits for those that are being packed.
    package var page: [UInt8]? { unpacked ?? packed?() }
    /// Whether ``page`` is packed.
    package var isPacked: Bool { packed != nil }

    init(_ metrics: SessionMetrics, row: [UInt8], endedAt: Int64) {
        run = metrics.run.description
        number = metrics.session
        loadedAt = metrics.loadedAt
        badness = Self.badness(of: metrics)
        hash = SmallestHashes<NoLabel>.hash(of: "\(run)/\(number)")
        self.row = row
        self.endedAt = endedAt
    }

    /// One that was stored; `packedPage` is the data of its page as it was packed.
    package init(
        run: String,
        number: UInt32,
        loadedAt: Int64,
        endedAt: Int64,
        badness: UInt64,
        row: [UInt8],
        packedPage: [UInt8]?
    ) {
        self.run = run
        self.number = number
        self.loadedAt = loadedAt
        self.endedAt = endedAt
        self.badness = badness
        hash = SmallestHashes<NoLabel>.hash(of: "\(run)/\(number)")
        self.row = row
        if let packedPage { packed = { packedPage } }
    }

    /// Gets a page, or none any more.
    func setPage(_ page: [UInt8]?) {
        unpacked = page
        packed = nil
    }

    /// Has the page packed, unless it is; `pack` may go on with that on other threads.
    func packPage(_ pack: ([UInt8]) -> PackedPage) {
        guard let page = unpacked else { return }
        unpacked = nil
        packed = pack(page)
    }

    /// First how it failed, then the share of rebuffering, then the startup.
    private static func badness(of metrics: SessionMetrics) -> UInt64 {
        let failure: UInt64 =
            metrics.isStartFailed
            ? 4 : metrics.failedAfter ? 3 : metrics.errors > 0 ? 2 : metrics.isExitedBeforeStart ? 1 : 0
        let ratio = Metric.named("rebuffer_ratio").value(metrics) ?? 0
        let startup = (Metric.named("startup_ms").value(metrics) ?? 0) / 1000
        return failure << 60 | UInt64(clamping: ratio) << 24 | UInt64(clamping: min(startup, 1 << 24 - 1))
    }
}
