package import Coordinator
internal import Glibc
internal import System

/// Brings the outputs of several coordinators to the reporters as if one coordinator had made them all.
///
/// Each output is caused by a place in the input, and no two coordinators have the same one. The merge hands on what
/// comes next in the input as soon as nothing earlier can come any more. What waits for that is held in memory up to a
/// limit, and above it in a file.
@safe package final class OutputMerge: @unchecked Sendable {
    /// Bytes that wait in memory, of all lanes together.
    package static let limit = 24 * 1024 * 1024

    private struct Lane {
        var waiting: [LaneSegment] = []
        /// Where the first output that waits was caused; what is being handed on is asked by nobody else meanwhile.
        var first: UInt64 = 0
        /// All that is caused before this place has come.
        var passed: UInt64 = 0
        var bytes = 0

        /// What comes next, or cannot come before this place.
        var head: UInt64 { waiting.isEmpty ? passed : first }

        mutating func add(_ segment: LaneSegment) {
            if waiting.isEmpty { first = segment.head }
            waiting.append(segment)
            bytes += segment.memoryUsed
        }

        /// Notes that outputs of the first piece were handed on, or all of it, which took so many bytes of memory.
        mutating func passFirst(isDone: Bool, bytes done: Int) {
            if isDone {
                waiting.removeFirst()
                bytes -= done
            }
            if let next = waiting.first { first = next.head }
        }
    }

    private struct State {
        var lanes: [Lane]
        /// Empty pieces, all that there are: no more are made than were in use at once.
        var spare: [LaneSegment] = []
        /// Where memory for more pieces is taken from.
        var slab: MemorySlab?
        var isDelivering = false
    }

    private let state: Condition<State>
    private let ended = Condition(false)
    private let consumers: [any OutputConsumer]
    /// The only consumer, when it takes whole pieces: they are handed on without another copy.
    private let sole: ReporterInstance?
    private let spill: SpillFile
    private let limit: Int
    /// What each lane may have in memory when the others have taken all of it.
    private let share: Int

    /// A merge for so many coordinators; `limit` bytes wait in memory, unless it is for a test 24 MiB.
    package init(lanes count: Int, consumers: [any OutputConsumer], limit: Int = OutputMerge.limit) {
        state = Condition(State(lanes: Array(repeating: Lane(), count: count)))
        self.consumers = consumers
        let first = consumers.count == 1 ? consumers.first as? ReporterInstance : nil
        sole = first?.takesSegments == true ? first : nil
        self.limit = limit
        share = limit / (2 * count)
        spill = SpillFile()
    }

    /// The lane of a coordinator, from 0, which has to be made on the coordinator's thread.
    ///
    /// Each thread has memory of its own there: two lanes beside each other would take their cache lines from each
    /// other at every output.
    package func lane(_ number: Int) -> OutputLane { OutputLane(self, number: number) }

    /// What the reporters want to see, together.
    var wanted: UInt32 {
        var wanted: UInt32 = 0
        for consumer in consumers { wanted |= consumer.wanted }
        return wanted
    }

    /// Whether few outputs wait, at most a sixth of what may (4 MiB), so that coordinators may well drift apart.
    package var hasMuchRoom: Bool { state.with { Self.held($0) <= limit / 6 } }

    /// Bytes that were put into the file so far.
    package var spilledBytes: Int { spill.bytes }

    // MARK: - Coordinators

    /// Takes a piece of a lane, and gives an empty one for what comes next.
    ///
    /// When all memory is taken, a coordinator whose outputs are next waits for the reporters, and one that is ahead of
    /// the others goes on with memory in the file: who waited for it would wait for ever.
    func merge(_ segment: LaneSegment, from number: Int, upTo position: UInt64) -> LaneSegment {
        segment.rest()
        handOn { state in
            state.lanes[number].add(segment)
            state.lanes[number].passed = position
        }
        let free = state.with { room(for: number, &$0) }
        switch free ?? state.wait(until: nil, for: { self.room(for: number, &$0) }) {
        case .spare(let spare): return spare
        case .file:
            if let memory = spill.memory(OutputSegment.bytes) { return LaneSegment(spilled: memory) }
            // No file can be had: the coordinator waits. What it waits for needs nothing of it.
            _ = state.wait(until: nil) { state -> Bool? in state.lanes[number].bytes <= self.share ? true : nil }
            return makeSegment()
        case .memory, nil: return makeSegment()
        }
    }

    /// A piece in new memory.
    private func makeSegment() -> LaneSegment {
        let memory = state.with { state -> OutputSegment? in
            if let slab = state.slab, let memory = OutputSegment(slab) { return memory }
            state.slab = MemorySlab()
            return state.slab.flatMap { OutputSegment($0) }
        }
        return LaneSegment(memory ?? OutputSegment())
    }

    /// Where a coordinator's next outputs may go.
    private enum Room {
        case spare(LaneSegment)
        case memory
        case file
    }

    private static func held(_ state: State) -> Int { state.lanes.reduce(0) { $0 + $1.bytes } }

    /// The room for a lane's next piece; nil when it has to wait.
    private func room(for number: Int, _ state: inout State) -> Room? {
        if Self.held(state) > limit, state.lanes[number].bytes > share {
            let head = state.lanes[number].head
            let isAhead = state.lanes.enumerated().contains { $0.offset != number && $0.element.head <= head }
            return isAhead ? .file : nil
        }
        return state.spare.popLast().map(Room.spare) ?? .memory
    }

    /// Takes a piece that is not needed any more: memory that goes back to the system costs more than to fill it.
    func keep(_ segment: LaneSegment) {
        segment.removeAll()
        guard segment.isReusable else { return }
        state.with { $0.spare.append(segment) }
    }

    /// A lane has nothing that is caused before a place.
    func pass(_ number: Int, upTo position: UInt64) { handOn { $0.lanes[number].passed = position } }

    // MARK: - Reporters

    /// Waits until all lanes are closed and all was handed on; `idle` is called about every `milliseconds` ms.
    package func waitUntilEnded(every milliseconds: Int64, idle: () -> Void) {
        while ended.wait(until: SystemTime.monotonic() + milliseconds * 1000, for: { $0 ? true : nil }) == nil {
            idle()
        }
    }

    /// Waits until the reporters have all that is caused before a place.
    package func waitUntilDelivered(upTo position: UInt64) {
        _ = state.wait(until: nil) { state -> Bool? in
            !state.isDelivering && state.lanes.allSatisfy { $0.waiting.isEmpty && $0.passed >= position } ? true : nil
        }
    }

    private enum Step {
        case deliver(LaneSegment, lane: Int, before: UInt64)
        case end
    }

    /// Changes what waits, then hands on what can be handed on.
    ///
    /// The coordinators do so themselves, one at a time: what one of them puts in while another is at it, that one
    /// takes along. A thread for it would have to be woken for each piece.
    private func handOn(after change: (inout State) -> Void) {
        var step = state.change { state -> Step? in
            change(&state)
            return state.isDelivering ? nil : Self.next(&state)
        }
        while case .deliver(let segment, let number, let bound) = step {
            let done = deliver(segment, before: bound)
            step = state.change { state in
                state.isDelivering = false
                state.lanes[number].passFirst(isDone: done.isDone, bytes: done.bytes)
                return Self.next(&state)
            }
        }
        if case .end = step { ended.change { $0 = true } }
    }

    private static func next(_ state: inout State) -> Step? {
        var first: (number: Int, head: UInt64)?
        var bound = UInt64.max
        for (number, lane) in state.lanes.enumerated() {
            let head = lane.head
            guard let known = first else {
                first = (number, head)
                continue
            }
            bound = min(bound, max(head, known.head))
            if head < known.head { first = (number, head) }
        }
        guard let (number, head) = first else { return .end }
        guard let segment = state.lanes[number].waiting.first else { return head == .max ? .end : nil }
        guard head < bound || state.lanes.count == 1 else { return nil }
        state.isDelivering = true
        return .deliver(segment, lane: number, before: bound)
    }

    /// Hands on a piece, or its beginning; whether it is over, and how many bytes of memory it took.
    private func deliver(_ segment: LaneSegment, before bound: UInt64) -> (isDone: Bool, bytes: Int) {
        let bytes = segment.memoryUsed
        if let sole, let whole = segment.detachWhole(before: bound, giveBack: { [weak self] in self?.keep($0) }) {
            sole.consume(whole)
            return (true, bytes)
        }
        segment.deliver(before: bound) { output in
            for consumer in consumers where consumer.wanted & (1 << output.what) != 0 {
                consumer.consume(output)
            }
        }
        guard segment.isDone else { return (false, bytes) }
        keep(segment)
        return (true, bytes)
    }
}
