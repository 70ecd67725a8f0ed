internal import PluginABI

/// What happens to outputs when a reporter does not keep up.
package enum QueuePolicy: Sendable, Equatable {
    /// The oldest are dropped and counted: for live runs, which never wait.
    case dropOldest
    /// The coordinator waits: for replay.
    case wait
}

/// The bounded queue between the coordinators and one reporter's thread.
@safe final class OutputQueue: @unchecked Sendable {
    /// Bytes that may wait before the policy applies.
    static let limit = 8 * 1024 * 1024
    /// Bytes that wake the reporter at once; fewer wait up to ``gatherMicroseconds`` for company.
    private static let batch = 32 * 1024
    private static let gatherMicroseconds: Int64 = 2_000

    private struct State {
        var full: [OutputSegment] = []
        var current: OutputSegment?
        var spare: [OutputSegment] = []
        var bytes = 0
        var dropped: UInt64 = 0
        var gap: UInt64 = 0
        var jobs: [AwaitedJob<ReporterLoop>] = []
        var urgent = false
        var closed = false
        var readerWaits = false
    }

    /// What waited.
    struct Taken {
        /// Outputs and flush requests in order.
        let segments: [OutputSegment]
        /// How many outputs before them were dropped since the last time.
        let gap: UInt64
        /// What the reporter's thread is to do behind them.
        let jobs: [AwaitedJob<ReporterLoop>]
    }

    private let state = Condition(State())
    private let policy: QueuePolicy

    init(policy: QueuePolicy) {
        self.policy = policy
    }

    /// How many outputs a full queue has cost.
    var dropped: UInt64 {
        state.with { $0.dropped }
    }

    /// Copies an output into the queue; once the queue is closed the output is dropped.
    func append(_ output: borrowing Output) {
        let needed = OutputCopy.size(of: output)
        if policy == .wait {
            waitForRoom(needed)
        }
        let wake = state.with { state -> Bool in
            guard !state.closed else {
                state.dropped += 1
                return false
            }
            let wasEmpty = state.bytes == 0
            while state.bytes + needed > Self.limit, policy == .dropOldest, !state.full.isEmpty {
                Self.dropOldest(&state)
            }
            let segment = Self.segment(&state, needed)
            _ = segment.append(output)
            state.bytes += needed
            return state.readerWaits && (wasEmpty || state.bytes >= Self.batch)
        }
        if wake {
            state.wakeAll()
        }
    }

    /// Puts a flush request behind what is in the queue.
    func append(_ request: FlushRequest) {
        state.change { state in
            Self.segment(&state, 0).append(request)
            state.urgent = true
        }
    }

    /// Puts a job behind what is in the queue; false once the queue is closed.
    func append(_ job: AwaitedJob<ReporterLoop>) -> Bool {
        state.change { state in
            guard !state.closed else { return false }
            state.jobs.append(job)
            state.urgent = true
            return true
        }
    }

    /// Drops what waits, but for flush requests and jobs; how many outputs.
    func dropAll() -> UInt64 {
        state.change { state in
            let before = state.dropped
            while !state.full.isEmpty {
                Self.dropOldest(&state)
            }
            if let current = state.current {
                state.full = [current]
                state.current = nil
                Self.dropOldest(&state)
            }
            return state.dropped - before
        }
    }

    /// Lets the reader see the end once the queue is empty.
    func close() {
        state.change { $0.closed = true }
    }

    /// Waits for outputs; nil when the queue is closed and empty.
    func take() -> Taken? {
        gather()
        return takeWaiting()
    }

    /// What waits now; nil when nothing does.
    func takeWaiting() -> Taken? {
        state.change { state -> Taken? in
            guard !Self.isEmpty(state) else { return nil }
            var taken = state.full
            state.full.removeAll(keepingCapacity: true)
            if let current = state.current, !current.isEmpty {
                taken.append(current)
                state.current = nil
            }
            state.bytes = 0
            state.urgent = false
            defer {
                state.gap = 0
                state.jobs.removeAll()
            }
            return Taken(segments: taken, gap: state.gap, jobs: state.jobs)
        }
    }

    /// Whether so much waits that it is worth a call of the reporter.
    var isWorthTaking: Bool {
        state.with { $0.bytes >= Self.batch }
    }

    /// Gives a segment back for the next use.
    func recycle(_ segment: OutputSegment) {
        segment.removeAll()
        state.with { state in
            if segment.isReusable, state.spare.count < 8 {
                state.spare.append(segment)
            }
        }
    }

    // MARK: - Parts

    /// Waits until there is something or the queue is closed and, unless it is much or urgent, a little longer.
    private func gather() {
        state.with { $0.readerWaits = true }
        defer { state.with { $0.readerWaits = false } }
        _ = state.wait(until: nil) { state -> Bool? in
            !Self.isEmpty(state) || state.closed ? true : nil
        }
        let soon = SystemTime.monotonic() + Self.gatherMicroseconds
        _ = state.wait(until: soon) { state -> Bool? in
            state.bytes >= Self.batch || state.urgent || state.closed ? true : nil
        }
    }

    private func waitForRoom(_ needed: Int) {
        _ = state.wait(until: nil) { state -> Bool? in
            state.bytes + needed <= Self.limit || state.bytes == 0 || state.closed ? true : nil
        }
    }

    private static func isEmpty(_ state: State) -> Bool {
        state.full.isEmpty && (state.current?.isEmpty ?? true) && state.jobs.isEmpty
    }

    private static func segment(_ state: inout State, _ needed: Int) -> OutputSegment {
        if let current = state.current {
            if current.used + needed <= OutputSegment.bytes, current.isReusable {
                return current
            }
            state.full.append(current)
            state.current = nil
        }
        let segment: OutputSegment
        if needed > OutputSegment.bytes {
            segment = OutputSegment(capacity: needed)
        } else {
            segment = state.spare.popLast() ?? OutputSegment()
        }
        state.current = segment
        return segment
    }

    /// Drops the oldest segment's outputs; its flush requests move on to the front of the next one.
    private static func dropOldest(_ state: inout State) {
        let oldest = state.full.removeFirst()
        let count = unsafe UInt64(oldest.outputs.count)
        state.dropped += count
        state.gap += count
        state.bytes -= min(state.bytes, oldest.used)
        (state.full.first ?? segment(&state, 0)).insertFirst(oldest.flushes.map(\.request))
        oldest.removeAll()
        if oldest.isReusable, state.spare.count < 8 {
            state.spare.append(oldest)
        }
    }
}
