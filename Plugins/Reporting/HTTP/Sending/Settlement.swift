internal import PluginKit

/// Which sessions have beacons that are not settled, and who waits for that.
struct Settlement {
    private struct Session: Hashable {
        let run: String
        let session: UInt32
    }

    private struct Wait {
        let request: FlushRequest
        let limit: Int64
    }

    /// An answer that is due.
    struct Answer {
        let request: FlushRequest
        let kept: UInt64
    }

    private var outstanding: [Session: UInt64] = [:]
    private var waits: [Wait] = []
    /// Since the answer before.
    private(set) var delivered: UInt64 = 0
    private(set) var dropped: UInt64 = 0

    /// Whether anybody waits.
    var isAwaited: Bool { !waits.isEmpty }

    /// When the first of those who wait has to be answered, ms since 1970.
    var nextLimit: Int64? { waits.map(\.limit).min() }

    mutating func take(_ beacon: StoredBeacon) {
        outstanding[session(beacon), default: 0] += 1
    }

    /// Notes that nobody needs to wait for a beacon any more; one of an earlier process was never waited for.
    mutating func settle(_ beacon: StoredBeacon) {
        guard let count = outstanding[session(beacon)] else { return }
        outstanding[session(beacon)] = count > 1 ? count - 1 : nil
    }

    mutating func countDelivered() { delivered += 1 }

    mutating func countDropped(_ count: UInt64 = 1) { dropped += count }

    mutating func wait(_ request: FlushRequest, now: Int64) {
        // A little before the host gives up by itself.
        waits.append(Wait(request: request, limit: now + max(0, request.budgetMilliseconds - 100)))
    }

    /// The answers that are due; the counts begin anew with each.
    mutating func answers(now: Int64, isEnding: Bool) -> [Answer] {
        var due: [Answer] = []
        waits.removeAll { wait in
            let left = outstanding.filter { key, _ in
                key.run == wait.request.playerRunID
                    && (wait.request.session == 0 || key.session == wait.request.session)
            }.values.reduce(0, +)
            guard left == 0 || isEnding || now >= wait.limit else { return false }
            due.append(Answer(request: wait.request, kept: left))
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
