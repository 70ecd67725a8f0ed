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
        var urgent = false
        var closed = false
        var readerWaits = false
        var writerWaits = false
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

    /// Copies an output into the queue.
    func append(_ output: borrowing Output) {
        let needed = OutputCopy.size(of: output)
        if policy == .wait {
            waitForRoom(needed)
        }
        let wake = state.with { state -> Bool in
            let wasEmpty = state.bytes == 0
            if state.bytes + needed > Self.limit, policy == .dropOldest {
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

    /// Lets the reader see the end once the queue is empty.
    func close() {
        state.change { $0.closed = true }
    }

    /// Waits for outputs; nil when the queue is closed and empty, an empty list at `deadline`.
    func take(until deadline: Int64?) -> [OutputSegment]? {
        let gathered = gather(until: deadline)
        guard gathered else { return state.with { $0.closed && Self.isEmpty($0) ? nil : [] } }
        return state.change { state -> [OutputSegment]? in
            if Self.isEmpty(state) {
                return state.closed ? nil : []
            }
            var taken = state.full
            state.full.removeAll(keepingCapacity: true)
            if let current = state.current, !current.isEmpty {
                taken.append(current)
                state.current = nil
            }
            state.bytes = 0
            state.urgent = false
            return taken
        }
    }

    /// Takes the count of outputs dropped since the last call.
    func takeGap() -> UInt64 {
        state.with { state in
            defer { state.gap = 0 }
            return state.gap
        }
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

    /// Waits until there is something and, unless it is much or urgent, a little longer.
    private func gather(until deadline: Int64?) -> Bool {
        state.with { $0.readerWaits = true }
        defer { state.with { $0.readerWaits = false } }
        let found = state.wait(until: deadline) { state -> Bool? in
            !Self.isEmpty(state) || state.closed ? true : nil
        }
        guard found == true else { return false }
        let soon = SystemTime.monotonic() + Self.gatherMicroseconds
        _ = state.wait(until: soon) { state -> Bool? in
            state.bytes >= Self.batch || state.urgent || state.closed ? true : nil
        }
        return true
    }

    private func waitForRoom(_ needed: Int) {
        let room = state.with { $0.bytes + needed <= Self.limit || $0.bytes == 0 }
        guard !room else { return }
        _ = state.wait(until: nil) { state -> Bool? in
            state.bytes + needed <= Self.limit || state.bytes == 0 ? true : nil
        }
    }

    private static func isEmpty(_ state: State) -> Bool {
        state.full.isEmpty && (state.current?.isEmpty ?? true)
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

    /// Drops the oldest segment's outputs; its flush requests move on to the next one.
    private static func dropOldest(_ state: inout State) {
        guard !state.full.isEmpty else { return }
        let oldest = state.full.removeFirst()
        let count = unsafe UInt64(oldest.outputs.count)
        state.dropped += count
        state.gap += count
        state.bytes -= min(state.bytes, oldest.used)
        for (_, request) in oldest.flushes {
            segment(&state, 0).append(request)
        }
        oldest.removeAll()
        if oldest.isReusable, state.spare.count < 8 {
            state.spare.append(oldest)
        }
    }
}
