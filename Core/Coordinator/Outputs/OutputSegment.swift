internal import CLinux
internal import Glibc
package import PluginABI
package import System

/// A piece of a reporter's queue: outputs one after another, complete with everything they point at.
///
/// The memory never moves, so the pointers inside an output are good until the segment is used again.
@safe package final class OutputSegment {
    /// Bytes of an ordinary segment.
    package static let bytes = 256 * 1024

    /// Bytes that are fetched for the next output at most: more would push out what the coordinator works with.
    private static let fetched = 4096

    private let memory: UnsafeMutableRawPointer
    /// Bytes that it has room for.
    package let capacity: Int
    /// What the memory belongs to; nil when it is the segment's own.
    private let owner: AnyObject?
    /// The memory when it lies in a file.
    private let spilled: SpilledMemory?
    @safe @exclusivity(unchecked) package private(set) var used = 0
    /// The outputs in order; flush requests lie between them.
    @exclusivity(unchecked) package private(set) var outputs: [UnsafePointer<tally_output>?] = unsafe []
    /// Who gets it when its outputs were taken; nil for the queue that it lies in.
    package var giveBack: ((OutputSegment) -> Void)?
    /// Flush requests, each with the number of outputs before it.
    package private(set) var flushes: [(position: Int, request: SessionFlush)] = []
    @safe @exclusivity(unchecked) private var identities: [OriginIdentity] = []
    /// The last of them.
    @safe @exclusivity(unchecked) private var lastIdentity: UnsafeMutableRawPointer?

    /// Different threads fill segments that lie beside each other.
    private let spacing = CacheLineSpacing()

    package init(capacity: Int = OutputSegment.bytes) {
        self.capacity = capacity
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
        owner = nil
        spilled = nil
        if isReusable {
            unsafe outputs.reserveCapacity(1024)
        }
    }

    /// A segment in memory that lies in a file.
    package init(spilled: SpilledMemory) {
        capacity = unsafe spilled.bytes.count
        guard let start = unsafe spilled.bytes.baseAddress else { preconditionFailure("no memory was mapped") }
        unsafe memory = unsafe start
        owner = spilled
        self.spilled = spilled
    }

    /// A segment in memory of an owner, which is kept for as long as this lives.
    package init(in memory: UnsafeMutableRawBufferPointer, of owner: AnyObject) {
        guard let start = memory.baseAddress else { preconditionFailure("there is no memory") }
        unsafe self.memory = unsafe start
        capacity = memory.count
        self.owner = owner
        spilled = nil
    }

    /// A segment of the ordinary size in a slab; nil when it has no room.
    package init?(_ slab: MemorySlab) {
        guard let start = unsafe slab.allocate(Self.bytes)?.baseAddress else { return nil }
        unsafe memory = unsafe start
        capacity = Self.bytes
        owner = slab
        spilled = nil
        unsafe outputs.reserveCapacity(1024)
    }

    deinit {
        if owner == nil { unsafe memory.deallocate() }
    }

    /// Whether it is of the ordinary kind, worth keeping for later.
    package var isReusable: Bool {
        capacity == Self.bytes && spilled == nil
    }

    /// Whether its memory lies in a file.
    package var isSpilled: Bool { spilled != nil }

    /// Lets the system take the memory while nobody needs it; only of a segment that lies in a file.
    package func rest() {
        spilled?.rest()
    }

    /// Whether nothing is in it.
    package var isEmpty: Bool {
        unsafe outputs.isEmpty && flushes.isEmpty
    }

    /// Empties it for the next use.
    package func removeAll() {
        used = 0
        unsafe outputs.removeAll(keepingCapacity: true)
        flushes.removeAll(keepingCapacity: true)
        identities.removeAll(keepingCapacity: true)
        lastIdentity = nil
    }

    /// Adds a flush request behind what is in it.
    package func append(_ request: SessionFlush) {
        unsafe flushes.append((outputs.count, request))
    }

    /// Puts flush requests before everything that is in it.
    package func insertFirst(_ requests: [SessionFlush]) {
        flushes.insert(contentsOf: requests.map { (position: 0, request: $0) }, at: 0)
    }

    /// Copies an output into the segment; false when there is no room.
    package func append(_ output: Output) -> Bool {
        guard capacity - used >= OutputCopy.size(of: output) else { return false }
        if unsafe lastIdentity != output.source.toOpaque() {
            unsafe lastIdentity = output.source.toOpaque()
            identities.append(output.identity)
        }
        unsafe add(output.what, output.origin, output.item)
        return true
    }

    /// Copies an output of another segment, whose origins have to be kept: ``keepOrigins(of:)``; false when there is no
    /// room.
    package func append(_ output: UnsafePointer<tally_output>) -> Bool {
        guard unsafe capacity - used >= OutputCopy.size(of: output) else { return false }
        unsafe add(output.pointee.what, output.pointee.origin.pointee, output.pointee.item)
        return true
    }

    /// Keeps what outputs of another segment refer to, for copies of them.
    package func keepOrigins(of other: OutputSegment) {
        identities += other.identities
        lastIdentity = nil
    }

    @inline(__always)
    private func add(_ what: UInt32, _ origin: tally_origin, _ item: UnsafeRawPointer?) {
        let place = unsafe allocate(tally_origin.self)
        unsafe place.initialize(to: origin)
        let target = unsafe allocate(tally_output.self)
        unsafe target.initialize(
            to: tally_output(
                struct_size: UInt32(MemoryLayout<tally_output>.size),
                what: what,
                origin: UnsafePointer(place),
                item: OutputCopy.copy(what, item, into: self)
            )
        )
        unsafe outputs.append(UnsafePointer(target))
    }

    /// Fetches memory for the next output before it is written, which pays when it is not in the processor's cache.
    package func fetch(_ count: Int) {
        unsafe tally_fetch_for_writing(memory + used, min(count, Self.fetched, capacity - used))
    }

    /// Takes room for one value.
    package func allocate<Value>(_ type: Value.Type, count: Int = 1) -> UnsafeMutablePointer<Value> {
        unsafe allocate(bytes: MemoryLayout<Value>.stride * count).assumingMemoryBound(to: Value.self)
    }

    /// Takes room for bytes, aligned to 16.
    package func allocate(bytes count: Int) -> UnsafeMutableRawPointer {
        let start = unsafe memory + used
        used += OutputCopy.aligned(count)
        precondition(used <= capacity, "an output is larger than its announced size")
        return unsafe start
    }
}

/// A request to deliver what a reporter has taken of a session, in its place between the outputs.
package struct SessionFlush: Sendable {
    /// Names the request towards the plugin.
    package let token: UInt64
    /// The player run.
    package let runID: String
    /// The session, 0 for the whole run.
    package let session: UInt32
    /// How long it may take, ms.
    package let budget: Int64

    /// Makes a request.
    package init(token: UInt64, runID: String, session: UInt32, budget: Int64) {
        self.token = token
        self.runID = runID
        self.session = session
        self.budget = budget
    }
}
