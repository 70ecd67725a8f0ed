internal import Glibc

/// Brings the outputs of several coordinators to the reporters as if one coordinator had made them all.
///
/// Each output is caused by a place in the input, and no two coordinators have the same one. The merge hands on what comes
/// next in the input as soon as nothing earlier can come any more. What waits for that is held in memory up to a limit,
/// and above it in a file.
@safe package final class OutputMerge: @unchecked Sendable {
    /// Bytes that wait in memory, of all lanes together.
    package static let limit = 16 * 1024 * 1024

    private struct Lane {
        var waiting: [LaneSegment] = []
        /// All that is caused before this place has come.
        var passed: UInt64 = 0
        var bytes = 0

        /// What comes next, or cannot come before this place.
        var head: UInt64 { waiting.first?.head ?? passed }
    }

    private struct State {
        var lanes: [Lane]
        var spare: [LaneSegment] = []
        /// Memory that a reporter has done with.
        var memory: [OutputSegment] = []
        var isDelivering = false
    }

    /// The lanes, one for each coordinator.
    package private(set) var lanes: [OutputLane] = []
    private let state: Condition<State>
    private let consumers: [any OutputConsumer]
    /// The only consumer, when it takes whole pieces: they are handed on without another copy.
    private let sole: ReporterInstance?
    private let spill: SpillFile
    private let limit: Int

    /// A merge for so many coordinators; `limit` bytes wait in memory, unless it is for a test 16 MiB.
    package init(lanes count: Int, consumers: [any OutputConsumer], limit: Int = OutputMerge.limit) {
        state = Condition(State(lanes: Array(repeating: Lane(), count: count)))
        self.consumers = consumers
        let first = consumers.count == 1 ? consumers.first as? ReporterInstance : nil
        sole = first?.takesSegments == true ? first : nil
        self.limit = limit / count
        spill = SpillFile()
        lanes = (0..<count).map { OutputLane(self, number: $0) }
    }

    /// What the reporters want to see, together.
    var wanted: UInt32 {
        var wanted: UInt32 = 0
        for consumer in consumers { wanted |= consumer.wanted }
        return wanted
    }

    /// Bytes that were put into the file so far.
    package var spilledBytes: Int { spill.bytes }

    // MARK: - Coordinators

    /// Takes a piece of a lane, and gives an empty one for what comes next.
    func take(_ segment: LaneSegment, from number: Int, upTo position: UInt64) -> LaneSegment {
        segment.rest()
        let held = state.change { state -> Int in
            state.lanes[number].waiting.append(segment)
            state.lanes[number].bytes += segment.used
            state.lanes[number].passed = position
            return state.lanes[number].bytes
        }
        if held > limit {
            if let memory = spill.memory(OutputSegment.bytes) { return LaneSegment(spilled: memory) }
            // No file can be had: the coordinator waits. What it waits for needs nothing of it.
            _ = state.wait(until: nil) { state -> Bool? in state.lanes[number].bytes <= self.limit ? true : nil }
        }
        return state.with { state in
            state.spare.popLast() ?? LaneSegment(state.memory.popLast() ?? OutputSegment())
        }
    }

    /// Takes memory that a reporter has done with.
    private func giveBack(_ segment: OutputSegment) {
        guard segment.isReusable else { return }
        state.with { state in
            if state.memory.count < 4 * state.lanes.count { state.memory.append(segment) }
        }
    }

    /// A lane has nothing that is caused before a place.
    func pass(_ number: Int, upTo position: UInt64) {
        state.change { $0.lanes[number].passed = position }
    }

    // MARK: - Reporters

    /// Hands on what can be handed on, until all lanes are closed; `idle` is called about every `milliseconds` ms.
    package func run(every milliseconds: Int64, idle: () -> Void) {
        var due = SystemTime.monotonic() + milliseconds * 1000
        while true {
            let step = state.wait(until: due) { state in Self.next(&state) }
            switch step {
            case .end: return
            case .deliver(let segment, let number, let bound): deliver(segment, number, before: bound)
            case nil: break
            }
            if SystemTime.monotonic() >= due {
                idle()
                due = SystemTime.monotonic() + milliseconds * 1000
            }
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

    private func deliver(_ segment: LaneSegment, _ number: Int, before bound: UInt64) {
        if let sole, let whole = segment.takeWhole(before: bound) {
            let bytes = whole.used
            whole.giveBack = { [weak self] in self?.giveBack($0) }
            sole.consume(whole)
            state.change { state in
                state.isDelivering = false
                state.lanes[number].waiting.removeFirst()
                state.lanes[number].bytes -= bytes
            }
            return
        }
        segment.deliver(before: bound) { output in
            for consumer in consumers where consumer.wanted & (1 << output.what) != 0 {
                consumer.consume(output)
            }
        }
        state.change { state in
            state.isDelivering = false
            guard segment.isDone else { return }
            state.lanes[number].waiting.removeFirst()
            state.lanes[number].bytes -= segment.used
            segment.removeAll()
            if segment.isReusable, state.spare.count < 4 * state.lanes.count {
                state.spare.append(segment)
            }
        }
    }
}
