internal import Coordinator
internal import Glibc
internal import PluginABI

/// Outputs on their way to a reporter's process, with all that they point at, in memory that it maps to read.
@safe struct OutputParcel {
    /// Bytes of such memory, as many as the largest output needs and more.
    static let bytes = 16 * 1024 * 1024
    /// Bytes that are sent at once, unless one output has more: what fits the processor's memory is read soonest.
    private static let goal = 1024 * 1024

    /// Where the list of outputs lies.
    let list: UInt64
    /// How many there are.
    let count: Int
    /// Bytes of all.
    let used: Int

    /// Packs as many outputs as there is room for, from the first on.
    init(_ outputs: UnsafeBufferPointer<UnsafePointer<tally_output>?>, in memory: SharedMemory) {
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory.start, count: memory.count)
        let segment = unsafe OutputSegment(in: room, of: memory)
        // The list first: how long it gets is known at the end.
        let places = unsafe segment.allocate(UnsafePointer<tally_output>?.self, count: outputs.count)
        var names = OriginTexts()
        var count = 0
        for index in outputs.indices {
            guard let output = unsafe outputs[index] else { break }
            let needed = unsafe OutputCopy.size(of: output) + OriginTexts.size(output.pointee.origin.pointee)
            guard segment.used + needed <= (count == 0 ? segment.capacity : min(Self.goal, segment.capacity)),
                unsafe segment.append(output), let copy = unsafe segment.outputs.last, let copy = unsafe copy
            else { break }
            unsafe names.copy(for: UnsafeMutablePointer(mutating: copy.pointee.origin), into: segment)
            unsafe (places + count).initialize(to: copy)
            count += 1
        }
        list = unsafe UInt64(UnsafeRawPointer(places) - UnsafeRawPointer(memory.start))
        self.count = count
        used = segment.used
    }
}

/// The texts of origins, which many outputs have in common.
@safe private struct OriginTexts {
    private var known: (from: tally_origin, to: tally_origin)?

    /// Bytes that a copy of an origin's texts needs at most.
    static func size(_ origin: tally_origin) -> Int {
        let texts = unsafe [
            origin.player_run_id, origin.plugin_id, origin.plugin_version, origin.instance, origin.video_id,
        ]
        return unsafe texts.reduce(0) { unsafe $0 + OutputCopy.aligned($1.len) }
    }

    /// Lets an origin point at copies of its texts in a segment that has room for them.
    mutating func copy(for origin: UnsafeMutablePointer<tally_origin>, into segment: OutputSegment) {
        let from = unsafe origin.pointee
        if let known = unsafe known, unsafe known.from.hasTexts(of: from) {
            unsafe origin.pointee.useTexts(of: known.to)
            return
        }
        unsafe origin.pointee.player_run_id = unsafe OutputCopy.text(from.player_run_id, segment)
        unsafe origin.pointee.plugin_id = unsafe OutputCopy.text(from.plugin_id, segment)
        unsafe origin.pointee.plugin_version = unsafe OutputCopy.text(from.plugin_version, segment)
        unsafe origin.pointee.instance = unsafe OutputCopy.text(from.instance, segment)
        unsafe origin.pointee.video_id = unsafe OutputCopy.text(from.video_id, segment)
        unsafe known = unsafe (from, origin.pointee)
    }
}

extension tally_origin {
    /// Whether the texts of both lie at the same places.
    fileprivate func hasTexts(of other: tally_origin) -> Bool {
        unsafe player_run_id.ptr == other.player_run_id.ptr && plugin_id.ptr == other.plugin_id.ptr
            && instance.ptr == other.instance.ptr && video_id.ptr == other.video_id.ptr
            && video_id.len == other.video_id.len
    }

    fileprivate mutating func useTexts(of other: tally_origin) {
        unsafe player_run_id = unsafe other.player_run_id
        unsafe plugin_id = unsafe other.plugin_id
        unsafe plugin_version = unsafe other.plugin_version
        unsafe instance = unsafe other.instance
        unsafe video_id = unsafe other.video_id
    }
}
