internal import Coordinator
internal import PluginABI
internal import System

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
    /// The same of a reporter that keeps on disk what it takes: it catches up as soon as the disk does.
    static let spillingLimit = 64 * 1024 * 1024
    /// The same where the coordinator waits: it only has to keep the reporter busy.
    static let waitingLimit = 4 * 1024 * 1024
    /// Bytes that wake the reporter at once; fewer wait up to ``gatherMicroseconds`` for company.
    ///
    /// To wake a thread costs as much as to copy a few dozen records.
    private static let batch = 256 * 1024
    private static let gatherMicroseconds: Int64 = 2_000
    /// The same where coordinators wait for room: nobody looks at what comes out before much of it has.
    private static let waitingBatch = 2 * 1024 * 1024
    private static let waitingGatherMicroseconds: Int64 = 20_000

    /// What the reporter's thread sleeps for.
    private enum Sleep {
        /// It is awake, or has been woken.
        case none
        /// Anything at all.
        case untilAnything
        /// So much that it is worth while.
        case untilBatch
    }

    private struct State {
        var full: [OutputSegment] = []
        var current: OutputSegment?
        var spare: [OutputSegment] = []
        var bytes = 0
        var dropped: UInt64 = 0
        /// The same by the instance that lost them, empty for the core.
        var droppedOf: [String: UInt64] = [:]
        var gaps: [QueueGap] = []
        var jobs: [AwaitedJob<ReporterLoop>] = []
        var urgent = false
        var closed = false
        var sleep = Sleep.none
    }

    /// What waited.
    struct Taken {
        /// Outputs and flush requests in order.
        let segments: [OutputSegment]
        /// What was dropped before them since the last time, by its source.
        let gaps: [QueueGap]
        /// What the reporter's thread is to do behind them.
        let jobs: [AwaitedJob<ReporterLoop>]
    }

    private let state = Condition(State())
    private let policy: QueuePolicy
    private let limit: Int

    /// Bytes that wake the reporter's thread.
    private var batch: Int { policy == .wait ? Self.waitingBatch : Self.batch }

    /// Empty segments that are kept: where coordinators wait, the queue is full most of the time.
    private var spareLimit: Int { policy == .wait ? Self.limit / OutputSegment.bytes : 8 }

    init(policy: QueuePolicy, limit: Int = OutputQueue.limit) {
        self.policy = policy
        self.limit = limit
    }

    /// Bytes that wait.
    var waitingBytes: Int { state.with { $0.bytes } }

    /// How many outputs a full queue has cost.
    var dropped: UInt64 { state.with { $0.dropped } }

    /// How many of them were whose, by instance; those of the core have no name.
    var droppedOf: [String: UInt64] { state.with { $0.droppedOf } }

    /// Copies an output into the queue; once the queue is closed the output is dropped.
    ///
    /// With `waits` the caller waits for room, whatever the policy is. Who waits needs no room for what comes
    /// meanwhile: for it the queue is never larger than ``waitingLimit``.
    ///
    /// - Returns: whether so much waits that it is worth a call of the reporter.
    @discardableResult
    func append(_ output: Output, waits: Bool = false) -> Bool {
        let needed = OutputCopy.size(of: output)
        let waits = waits || policy == .wait
        let limit = waits ? min(limit, Self.waitingLimit) : limit
        func add(_ state: inout State) -> Added {
            guard !state.closed else {
                state.dropped += 1
                return Added(isAwaited: false, isMuch: false)
            }
            if state.bytes + needed > limit, state.bytes > 0 {
                guard !waits else { return Added(isFull: true) }
                unsafe output.withRaw { unsafe makeRoom(&state, for: $0, needed) }
            }
            if state.current?.append(output) != true {
                _ = Self.nextSegment(&state, needed).append(output)
            }
            state.bytes += needed
            return Added(isAwaited: wakes(&state), isMuch: state.bytes >= Self.batch)
        }
        // Waiting is apart: it costs much also where nothing has to be waited for, and an output comes every
        // microsecond.
        var added = state.with(add)
        while added.isFull {
            _ = state.wait(until: nil) { state -> Bool? in
                state.closed || state.bytes == 0 || state.bytes + needed <= limit ? true : nil
            }
            added = state.with(add)
        }
        if added.isAwaited {
            state.wakeAll()
        }
        return added.isMuch
    }

    /// What became of an output that was to be added.
    private struct Added {
        /// Whether there was no room, and the caller waits for some.
        var isFull = false
        var isAwaited = false
        var isMuch = false
    }

    /// Puts a whole segment behind what is in the queue, without a copy; waits for room, whatever the policy is.
    ///
    /// Its memory counts, however little is in it.
    func append(_ segment: OutputSegment) {
        let isAwaited = state.wait(until: nil) { state -> Bool? in
            guard !state.closed else {
                state.dropped += unsafe UInt64(segment.outputs.count)
                segment.giveBack = nil
                return false
            }
            guard state.bytes == 0 || state.bytes + segment.capacity <= min(limit, Self.waitingLimit) else {
                return nil
            }
            if let current = state.current, !current.isEmpty {
                state.full.append(current)
                state.current = nil
            }
            state.full.append(segment)
            state.bytes += segment.capacity
            return self.wakes(&state)
        }
        if isAwaited == true {
            state.wakeAll()
        }
    }

    /// Puts a flush request behind what is in the queue.
    func append(_ request: SessionFlush) {
        state.change { state in
            (state.current ?? Self.nextSegment(&state, 0)).append(request)
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
            var requests: [SessionFlush] = []
            let segments = state.full + [state.current].compactMap { $0 }
            let gaps = QueueShares.gaps(of: segments)
            state.full = []
            state.current = nil
            for segment in segments {
                requests += segment.flushes.map(\.request)
                recycle(segment, &state)
            }
            // Whole segments counted for all of their memory, not for what is in them.
            state.bytes = 0
            if !requests.isEmpty { Self.nextSegment(&state, 0).insertFirst(requests) }
            return Self.count(gaps, &state)
        }
    }

    /// Lets the reader see the end once the queue is empty.
    func close() { state.change { $0.closed = true } }

    /// Waits for outputs; nil when the queue is closed and empty.
    func waitForOutputs() -> Taken? {
        gather()
        return removeWaiting()
    }

    /// What waits now; nil when nothing does.
    func removeWaiting() -> Taken? {
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
            state.sleep = .none
            defer {
                state.gaps = []
                state.jobs.removeAll()
            }
            return Taken(segments: taken, gaps: state.gaps, jobs: state.jobs)
        }
    }

    /// Gives a segment back for the next use.
    func recycle(_ segment: OutputSegment) { state.with { recycle(segment, &$0) } }

    // MARK: - Parts

    /// Waits until there is something or the queue is closed and, unless it is much or urgent, a little longer.
    private func gather() {
        _ = state.wait(until: nil) { state -> Bool? in
            Self.sleeps(&state, .untilAnything, unless: !Self.isEmpty(state) || state.closed)
        }
        let patience = policy == .wait ? Self.waitingGatherMicroseconds : Self.gatherMicroseconds
        _ = state.wait(until: SystemTime.monotonic() + patience) { state -> Bool? in
            Self.sleeps(&state, .untilBatch, unless: state.bytes >= batch || state.urgent || state.closed)
        }
    }

    /// Notes what the reporter's thread sleeps for; true when it need not.
    private static func sleeps(_ state: inout State, _ sleep: Sleep, unless isReady: Bool) -> Bool? {
        state.sleep = isReady ? .none : sleep
        return isReady ? true : nil
    }

    /// Whether the reporter's thread has what it sleeps for; it is woken once.
    private func wakes(_ state: inout State) -> Bool {
        switch state.sleep {
        case .none: return false
        case .untilBatch where state.bytes < batch: return false
        case .untilAnything, .untilBatch:
            state.sleep = .none
            return true
        }
    }

    private static func isEmpty(_ state: State) -> Bool {
        state.full.isEmpty && (state.current?.isEmpty ?? true) && state.jobs.isEmpty
    }

    /// Makes an empty segment with so much room the current one.
    private static func nextSegment(_ state: inout State, _ needed: Int) -> OutputSegment {
        if let current = state.current { state.full.append(current) }
        let isLarge = needed > OutputSegment.bytes
        let next = isLarge ? OutputSegment(capacity: needed) : state.spare.popLast() ?? OutputSegment()
        state.current = next
        return next
    }

    /// Drops outputs of whoever has most in the queue until one more has room.
    private func makeRoom(_ state: inout State, for output: UnsafePointer<tally_output>, _ needed: Int) {
        if let current = state.current, !current.isEmpty {
            state.full.append(current)
            state.current = nil
        }
        var spare = state.spare
        let made = unsafe QueueShares.makeRoom(
            in: &state.full,
            for: output,
            excess: state.bytes + needed - limit,
            limit: limit
        ) { spare.popLast() ?? OutputSegment() }
        state.spare = spare
        state.bytes -= min(state.bytes, made.bytes)
        _ = Self.count(made.gaps, &state)
        for segment in made.emptied { recycle(segment, &state) }
    }

    /// Counts what was dropped; how many outputs.
    private static func count(_ gaps: [QueueGap], _ state: inout State) -> UInt64 {
        var sum: UInt64 = 0
        for gap in gaps {
            sum += gap.lost
            state.droppedOf[gap.instance, default: 0] += gap.lost
            if let place = state.gaps.firstIndex(where: { $0.isOfSource(of: gap) }) {
                state.gaps[place].lost += gap.lost
            } else {
                state.gaps.append(gap)
            }
        }
        state.dropped += sum
        return sum
    }

    private func recycle(_ segment: OutputSegment, _ state: inout State) {
        segment.removeAll()
        if let giveBack = segment.giveBack {
            segment.giveBack = nil
            giveBack(segment)
        } else if segment.isReusable, state.spare.count < spareLimit {
            state.spare.append(segment)
        }
    }
}
