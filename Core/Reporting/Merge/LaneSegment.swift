internal import Coordinator
internal import PluginABI
internal import System

/// A piece of a lane: outputs with the places in the input that caused them.
@safe final class LaneSegment {
    private let segment: OutputSegment
    /// The same, for each output.
    private let borrowed: Unmanaged<OutputSegment>
    /// Where in the input each output was caused, rising, and who made it, whom the memory keeps.
    @exclusivity(unchecked) private var causes: [(position: UInt64, identity: Unmanaged<OriginIdentity>)] = unsafe []
    /// How many were handed on.
    @safe @exclusivity(unchecked) private(set) var delivered = 0

    /// Two pieces that different threads fill would take the cache line that they share from each other at every
    /// output.
    private let spacing = CacheLineSpacing()

    /// A piece of the ordinary size, or one that holds `capacity` bytes.
    convenience init(capacity: Int = OutputSegment.bytes) { self.init(OutputSegment(capacity: capacity)) }

    /// A piece in the memory of a segment that is empty.
    init(_ memory: OutputSegment) {
        segment = memory
        unsafe borrowed = Unmanaged.passUnretained(memory)
    }

    /// A piece in memory of the spill file.
    convenience init(spilled memory: SpilledMemory) { self.init(OutputSegment(spilled: memory)) }

    /// Bytes of memory that it takes, however little is in it; none of a piece in the spill file.
    var memoryUsed: Int { segment.isSpilled ? 0 : segment.capacity }
    /// Whether half of its room is taken.
    var isHalfFull: Bool { 2 * segment.used >= segment.capacity }
    /// Whether it is of the ordinary kind, worth keeping for later.
    var isReusable: Bool { segment.isReusable }
    /// Whether nothing is in it.
    var isEmpty: Bool { unsafe causes.isEmpty }
    /// Whether all was handed on.
    var isDone: Bool { unsafe delivered == causes.count }
    /// Where the next output to hand on was caused.
    var head: UInt64 { unsafe causes[delivered].position }

    /// Copies an output; false when there is no room.
    func append(_ output: Output, at position: UInt64) -> Bool {
        let hasRoom = unsafe borrowed._withUnsafeGuaranteedRef { segment in
            let before = segment.used
            guard segment.append(output) else { return false }
            // The next output is mostly like this one. Another thread had the memory last, or nobody for long.
            segment.fetch(segment.used &- before)
            return true
        }
        guard hasRoom else { return false }
        unsafe causes.append((position, Unmanaged.passUnretained(output.identity)))
        return true
    }

    /// Lends the outputs from the first that was not handed on to the last that was caused before `bound`.
    func deliver(before bound: UInt64, _ body: (Output) -> Void) {
        while !isDone, head < bound {
            if let output = output(at: delivered) { body(output) }
            delivered += 1
        }
    }

    private func output(at place: Int) -> Output? {
        guard let copy = unsafe segment.outputs[place] else { return nil }
        let origin = unsafe copy.pointee.origin
        return unsafe Output(
            what: copy.pointee.what,
            identity: causes[place].identity.takeUnretainedValue(),
            session: origin.pointee.session,
            ordinal: origin.pointee.ordinal,
            time: origin.pointee.time_us,
            item: copy.pointee.item
        )
    }

    /// The memory with all outputs, when all were caused before `bound` and none was handed on.
    ///
    /// Nothing else is done with this piece until `giveBack` was called, which the memory's taker does when it is done.
    func detachWhole(before bound: UInt64, giveBack: @escaping (LaneSegment) -> Void) -> OutputSegment? {
        guard delivered == 0, let last = unsafe causes.last?.position, last < bound else { return nil }
        segment.giveBack = { _ in giveBack(self) }
        return segment
    }

    /// Lets the system take the memory while nobody needs it; only of a piece in the spill file.
    func rest() { segment.rest() }

    /// Empties it for the next use.
    func removeAll() {
        segment.removeAll()
        unsafe causes.removeAll(keepingCapacity: true)
        delivered = 0
    }
}
