internal import PluginABI

/// A piece of a lane: outputs with the places in the input that caused them.
@safe final class LaneSegment {
    private let segment: OutputSegment
    @safe @exclusivity(unchecked) private var outputs: [Output] = []
    /// Where in the input each output was caused, rising.
    @safe @exclusivity(unchecked) private(set) var positions: [UInt64] = []
    /// How many were handed on.
    var delivered = 0

    /// A piece of the ordinary size, or one that holds `capacity` bytes.
    init(capacity: Int = OutputSegment.bytes) {
        segment = OutputSegment(capacity: capacity)
    }

    /// A piece of the ordinary size in memory that is empty.
    init(_ memory: OutputSegment) {
        segment = memory
    }

    /// A piece in memory of the spill file.
    init(spilled memory: SpilledMemory) {
        segment = OutputSegment(spilled: memory)
    }

    /// Bytes that are taken.
    var used: Int { segment.used }
    /// Whether it is of the ordinary kind, worth keeping for later.
    var isReusable: Bool { segment.isReusable }
    /// Whether nothing is in it.
    var isEmpty: Bool { positions.isEmpty }
    /// Whether all was handed on.
    var isDone: Bool { delivered == positions.count }
    /// Where the next output to hand on was caused.
    var head: UInt64 { positions[delivered] }

    /// Copies an output; false when there is no room.
    func append(_ output: borrowing Output, at position: UInt64) -> Bool {
        guard segment.append(output), let copy = unsafe segment.outputs.last.flatMap({ unsafe $0 }) else {
            return false
        }
        unsafe outputs.append(
            Output(
                what: output.what,
                identity: output.identity,
                session: output.session,
                ordinal: output.ordinal,
                time: output.time,
                item: copy.pointee.item
            )
        )
        positions.append(position)
        return true
    }

    /// Lends the outputs from the first that was not handed on to the last that was caused before `bound`.
    func deliver(before bound: UInt64, _ body: (Output) -> Void) {
        while delivered < positions.count, positions[delivered] < bound {
            body(outputs[delivered])
            delivered += 1
        }
    }

    /// The memory with all outputs, when all were caused before `bound` and none was handed on; this piece is over then.
    func takeWhole(before bound: UInt64) -> OutputSegment? {
        guard delivered == 0, let last = positions.last, last < bound else { return nil }
        return segment
    }

    /// Lets the system take the memory while nobody needs it; only of a piece in the spill file.
    func rest() {
        segment.rest()
    }

    /// Empties it for the next use.
    func removeAll() {
        segment.removeAll()
        outputs.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        delivered = 0
    }
}
