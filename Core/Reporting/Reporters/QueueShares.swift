internal import Coordinator
internal import PluginABI
internal import PluginLoading

/// What a full queue has cost one source: a tracker of a player run, or the core.
struct QueueGap {
    /// Where the lost outputs came from; without an asset and a wall clock.
    let source: OriginIdentity
    /// The configured name of the instance; empty for the core.
    let instance: String
    /// How many.
    var lost: UInt64

    /// Describes a loss of an output's source.
    init(_ origin: tally_origin, lost: UInt64) {
        source = unsafe OriginIdentity(
            runID: origin.player_run_id.text,
            pluginID: origin.plugin_id.text,
            version: origin.plugin_version.text,
            instance: origin.instance.text,
            epoch: 0
        )
        instance = unsafe origin.instance.text
        self.lost = lost
    }

    /// Whether both are losses of one source.
    func isOfSource(of other: QueueGap) -> Bool {
        unsafe instance == other.instance && source.runID.text == other.source.runID.text
    }
}

/// Who has how much of a queue, and who loses when it is full: the one with most, its oldest outputs.
///
/// So a tracker that floods a reporter loses its own, and one that says less than its part of the queue loses nothing.
/// The core, which says events and the boundaries of sessions and runs, is a source like the trackers. Nothing is
/// counted while there is room.
enum QueueShares {
    /// What making room came to.
    struct Room {
        /// What was dropped, by source.
        var gaps: [QueueGap] = []
        /// Bytes of it.
        var bytes = 0
        /// Segments that nothing is in any more.
        var emptied: [OutputSegment] = []
    }

    /// A tracker of a run, or the core in a run.
    private struct Source: Hashable {
        let run: String
        let instance: String

        init(_ origin: tally_origin) {
            run = unsafe origin.player_run_id.text
            instance = unsafe origin.instance.text
        }
    }

    /// Knows the source of an origin by where its texts lie, so that they are compared once for each identity.
    private struct Sources {
        private var known: [UInt: Source] = [:]
        private var last: (place: UInt, source: Source)?

        mutating func source(of output: UnsafePointer<tally_output>) -> Source {
            let origin = unsafe output.pointee.origin
            let place = unsafe UInt(bitPattern: origin.pointee.player_run_id.ptr)
            if let last, last.place == place { return last.source }
            let source = unsafe known[place] ?? Source(origin.pointee)
            known[place] = source
            last = (place, source)
            return source
        }
    }

    /// Drops outputs until `excess` bytes and some more are free, or nothing is left.
    ///
    /// The order of what stays, and of the flush requests among it, is kept. `next` gives an empty segment.
    static func makeRoom(
        in segments: inout [OutputSegment],
        for output: UnsafePointer<tally_output>,
        excess: Int,
        limit: Int,
        next: @escaping () -> OutputSegment
    ) -> Room {
        var room = Room()
        let arriving = unsafe Source(output.pointee.origin.pointee)
        while room.bytes < excess {
            var shares = bytes(of: segments)
            let queued = shares
            unsafe shares[arriving, default: 0] += OutputCopy.size(of: output)
            let held = shares.filter { queued[$0.key] != nil }
            guard let largest = held.max(by: { ($0.value, $1.key.instance) < ($1.value, $0.key.instance) }) else {
                break
            }
            // More than is needed, since to look at all of the queue for each output of a flood would hold up the run.
            let second = shares.filter { $0.key != largest.key }.values.max() ?? 0
            let ahead = min(limit / 16, max(largest.value - second, largest.value / 4))
            let before = room.bytes
            drop(of: largest.key, bytes: max(excess - before, ahead), from: &segments, into: &room, next)
            guard room.bytes > before else { break }
        }
        return room
    }

    /// What segments hold, as if all of it were lost.
    static func gaps(of segments: [OutputSegment]) -> [QueueGap] {
        unsafe gaps(of: segments.flatMap(\.outputs)[...])
    }

    /// The same of outputs.
    static func gaps(of outputs: ArraySlice<UnsafePointer<tally_output>?>) -> [QueueGap] {
        var gaps: [Source: QueueGap] = [:]
        var sources = Sources()
        for index in unsafe outputs.indices {
            guard let output = unsafe outputs[index] else { continue }
            let source = unsafe sources.source(of: output)
            unsafe gaps[source, default: QueueGap(output.pointee.origin.pointee, lost: 0)].lost += 1
        }
        return Array(gaps.values)
    }

    private static func bytes(of segments: [OutputSegment]) -> [Source: Int] {
        var shares: [Source: Int] = [:]
        var sources = Sources()
        var open: (source: Source, bytes: Int)?
        for segment in segments {
            for index in unsafe segment.outputs.indices {
                guard let output = unsafe segment.outputs[index] else { continue }
                let source = unsafe sources.source(of: output)
                let size = unsafe OutputCopy.size(of: output)
                if let run = open, run.source == source {
                    open?.bytes += size
                } else {
                    if let open { shares[open.source, default: 0] += open.bytes }
                    open = (source, size)
                }
            }
        }
        if let open { shares[open.source, default: 0] += open.bytes }
        return shares
    }

    /// Drops the oldest outputs of a source, and moves the others in their segments together.
    private static func drop(
        of victim: Source,
        bytes goal: Int,
        from segments: inout [OutputSegment],
        into room: inout Room,
        _ next: @escaping () -> OutputSegment
    ) {
        var kept: [OutputSegment] = []
        var building: OutputSegment?
        var sources = Sources()
        var gap: QueueGap?
        var freed = 0
        for segment in segments {
            let isHalfEmpty = segment.used * 2 < segment.capacity
            guard freed < goal, segment.giveBack == nil,
                unsafe isHalfEmpty
                    || segment.outputs.contains(where: { output in
                        unsafe output.map { unsafe sources.source(of: $0) == victim } ?? false
                    })
            else {
                if let building { kept.append(building) }
                building = nil
                kept.append(segment)
                continue
            }
            var copies = Copies(of: segment, into: building, finished: kept, next)
            for index in unsafe segment.outputs.indices {
                copies.passFlushes(upTo: index)
                guard let output = unsafe segment.outputs[index] else { continue }
                if freed < goal, unsafe sources.source(of: output) == victim {
                    unsafe freed += OutputCopy.size(of: output)
                    unsafe gap = gap ?? QueueGap(output.pointee.origin.pointee, lost: 0)
                    gap?.lost += 1
                } else {
                    unsafe copies.append(output)
                }
            }
            copies.passFlushes(upTo: .max)
            (building, kept) = (copies.target, copies.finished)
            room.emptied.append(segment)
        }
        if let building { kept.append(building) }
        segments = kept
        room.bytes += freed
        if let gap { room.gaps.append(gap) }
    }

    /// The outputs of one segment on their way into others.
    private struct Copies {
        let segment: OutputSegment
        private(set) var target: OutputSegment?
        private(set) var finished: [OutputSegment]
        private let next: () -> OutputSegment
        private var flushes: ArraySlice<(position: Int, request: SessionFlush)>

        init(
            of segment: OutputSegment,
            into target: OutputSegment?,
            finished: [OutputSegment],
            _ next: @escaping () -> OutputSegment
        ) {
            self.segment = segment
            self.target = target
            self.finished = finished
            self.next = next
            flushes = segment.flushes[...]
            target?.keepOrigins(of: segment)
        }

        mutating func append(_ output: UnsafePointer<tally_output>) {
            if unsafe target?.append(output) == true { return }
            if let target { finished.append(target) }
            let size = unsafe OutputCopy.size(of: output)
            let fresh = size > OutputSegment.bytes ? OutputSegment(capacity: size) : next()
            fresh.keepOrigins(of: segment)
            _ = unsafe fresh.append(output)
            target = fresh
        }

        /// Puts the flush requests in front of an output behind what was copied.
        mutating func passFlushes(upTo position: Int) {
            while let flush = flushes.first, flush.position <= position {
                flushes.removeFirst()
                let target = target ?? next()
                if self.target == nil { target.keepOrigins(of: segment) }
                target.append(flush.request)
                self.target = target
            }
        }
    }
}
