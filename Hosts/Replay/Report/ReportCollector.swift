internal import Coordinator
internal import HostSupport
internal import PluginKit
internal import System
internal import TextEncoding
internal import Viewing

/// Takes all outputs of a replay for the pages, one at a time, and has a thread of its own look at them.
@safe final class ReportCollector: OutputConsumer, @unchecked Sendable {
    /// What rules of delivery call it, as if it were a reporter.
    static let reporterName = "report"
    /// How many full segments may wait until the replay waits too.
    private static let waiting = 8
    /// Bytes of pages until they are handed to the packing: those that fall out before are not packed in vain.
    private static let unpackedBytes = 16 << 20
    /// Bytes of a segment for an output that fits into no ordinary one.
    private static let largest = 4 << 20

    private struct Queue {
        var full: [OutputSegment] = []
        var spare: [OutputSegment] = []
        var isClosed = false
    }

    let wanted = ViewedSessions.wanted.rawValue
    /// What was collected, once ``finish()`` is over.
    let sessions: ViewedSessions
    private let queue = Condition(Queue())
    private let thread: Thread
    private var segment = OutputSegment()

    private struct Content: @unchecked Sendable {
        let sessions: ViewedSessions
    }

    init(pages: Int, personal: Bool, grouping: [String]) {
        var limits = ViewedSessions.Limits()
        limits.pages = pages
        limits.unpackedBytes = Self.unpackedBytes
        let packing = pages > 0 ? PagePacking() : nil
        sessions = ViewedSessions(limits: limits, personal: personal, grouping: grouping) { page in
            guard let packing else { return { [] } }
            return packing.pack(page)
        }
        let content = Content(sessions: sessions)
        let queue = queue
        thread = Thread(name: "tally-report") {
            while let segment = Self.next(queue) { Self.look(at: segment, content.sessions, queue) }
        }
    }

    func consume(_ output: Output) {
        if segment.append(output) { return }
        handOn()
        if segment.append(output) { return }
        segment = OutputSegment(capacity: Self.largest)
        let isTaken = segment.append(output)
        precondition(isTaken, "an output is larger than any may be")
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }

    /// Waits until all was looked at; nothing comes any more.
    func finish() {
        handOn()
        queue.change { $0.isClosed = true }
        thread.join()
        sessions.finish()
    }

    private func handOn() {
        let full = segment
        segment =
            queue.wait(until: nil) { queue -> OutputSegment? in
                guard queue.full.count < Self.waiting else { return nil }
                queue.full.append(full)
                return queue.spare.popLast() ?? OutputSegment()
            } ?? OutputSegment()
        queue.wakeAll()
    }

    /// Waits for what is looked at next; nil when nothing comes any more.
    private static func next(_ queue: Condition<Queue>) -> OutputSegment? {
        let isOver = queue.wait(until: nil) { !$0.full.isEmpty ? false : $0.isClosed ? true : nil }
        guard isOver == false else { return nil }
        return queue.change { $0.full.removeFirst() }
    }

    private static func look(at segment: OutputSegment, _ sessions: ViewedSessions, _ queue: Condition<Queue>) {
        for place in unsafe segment.outputs.indices {
            guard let output = unsafe segment.outputs[place] else { continue }
            sessions.look(at: unsafe OutputView(output))
        }
        segment.removeAll()
        queue.change { if segment.isReusable { $0.spare.append(segment) } }
    }
}
