/// What waits for a worker: tenants take turns, and what one of them sent is done in the order of the journal.
///
/// So a tenant of which much waits holds others up by a turn, and not by all that it has. A job is done behind all that
/// came before it.
package struct ReportTurns<Job> {
    /// What is to be done next.
    package enum Turn {
        /// Reports of one tenant, each with its entry of the journal.
        case reports([Entry])
        /// Something else.
        case job(Job)
    }

    /// What came for a run, and its number in the journal.
    package typealias Entry = (reports: ReceivedReports, number: UInt64)

    /// Of one tenant, from `start` on.
    private struct Queue {
        var entries: [Entry] = []
        var start = 0
    }

    /// What came between two jobs, and the job behind it.
    private struct Stretch {
        var queues: [String: Queue] = [:]
        /// Tenants of which something waits, in the order of their turns.
        var order: [String] = []
        var job: Job?
    }

    private var stretches = [Stretch()]
    private let bytes: Int

    /// Nothing; a turn has `bytes` and what is left of the last entry.
    package init(bytes: Int = 128 * 1024) { self.bytes = bytes }

    /// Whether nothing waits.
    package var isEmpty: Bool { stretches[0].order.isEmpty && stretches[0].job == nil }

    /// The first entry of the journal that waits; nil when none does.
    package var first: UInt64? {
        stretches.lazy.flatMap { $0.queues.values.lazy.map { $0.entries[$0.start].number } }.min()
    }

    /// Adds what came for a run.
    package mutating func append(_ reports: ReceivedReports, _ number: UInt64) {
        let tenant = reports.key.tenant
        let last = stretches.count - 1
        if stretches[last].queues[tenant] == nil { stretches[last].order.append(tenant) }
        stretches[last].queues[tenant, default: Queue()].entries.append((reports, number))
    }

    /// Adds a job.
    package mutating func append(_ job: Job) {
        stretches[stretches.count - 1].job = job
        stretches.append(Stretch())
    }

    /// Removes what is to be done next; nil when nothing waits.
    package mutating func next() -> Turn? {
        guard let tenant = stretches[0].order.first else {
            guard let job = stretches[0].job else { return nil }
            stretches.removeFirst()
            return .job(job)
        }
        stretches[0].order.removeFirst()
        guard var queue = stretches[0].queues.removeValue(forKey: tenant) else { return nil }
        var end = queue.start
        var count = 0
        while end < queue.entries.count, count < bytes {
            count += queue.entries[end].reports.cost
            end += 1
        }
        let turn = Array(queue.entries[queue.start..<end])
        guard end < queue.entries.count else { return .reports(turn) }
        queue.start = end
        // Memory of what is done is given back now and then.
        if end > queue.entries.count / 2 {
            queue.entries.removeSubrange(..<end)
            queue.start = 0
        }
        stretches[0].queues[tenant] = queue
        stretches[0].order.append(tenant)
        return .reports(turn)
    }
}
