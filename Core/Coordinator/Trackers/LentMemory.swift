package import EventModel
internal import Glibc
internal import PluginABI
internal import System

/// What trackers are lent of a run, in memory that they cannot write: the event, and the player's state.
///
/// An event is copied once for all trackers: to guard each of them, a copy of its own would cost as much for each.
/// Beside it lie the blocks of events that the core makes itself, each used up within one step of a run, and what a
/// tracker says in a call. So runs that are driven by one thread may share all of it, and an idle one has none. [core]
@safe package final class LentMemory {
    private static let stateOffset = (Limits.eventBytes + 63) & ~63

    private var memory = TwinMemory(bytes: LentMemory.stateOffset + MemoryLayout<tally_state>.size)

    /// Where control events are written.
    let controlBuffer = BlockBuffer()
    /// Where events are written that follow from the player's.
    let insertedBlock = BlockBuffer()
    /// Where snapshots are written.
    let snapshotBlock = BlockBuffer()
    /// Where those who drive runs write what their clocks say.
    package let clockBlock = BlockBuffer()
    /// What the call says that is open.
    @safe @exclusivity(unchecked) private(set) var spoken = CallOutputs()

    /// Memory in which nothing lies.
    package init() {}

    /// The player's state, to be written.
    @inline(__always)
    var state: UnsafeMutablePointer<tally_state> {
        unsafe (memory.start + Self.stateOffset).assumingMemoryBound(to: tally_state.self)
    }

    /// The player's state, to be lent.
    @inline(__always)
    var lentState: UnsafePointer<tally_state> {
        unsafe (memory.readOnly + Self.stateOffset).assumingMemoryBound(to: tally_state.self)
    }

    /// A copy of an event, to be lent until the next one is.
    @inline(__always)
    func lend(_ event: UnsafePointer<tally_event>) -> UnsafePointer<tally_event> {
        let size = unsafe Int(event.pointee.size)
        // A block is never larger; one that says so is of a test, and lent as it is.
        guard size <= Limits.eventBytes else { return unsafe event }
        unsafe memcpy(memory.start, event, size)
        return unsafe memory.readOnly.assumingMemoryBound(to: tally_event.self)
    }

    /// Leaves what is lent to a plugin that did not come back, for good.
    func leaveBehind() {
        _ = unsafe Unmanaged.passRetained(memory)
        memory = TwinMemory(bytes: Self.stateOffset + MemoryLayout<tally_state>.size)
    }

    /// Leaves what a plugin that did not come back goes on saying to it, for good.
    func leaveSpokenBehind() {
        _ = unsafe Unmanaged.passRetained(spoken)
        spoken = CallOutputs()
    }
}

/// Memory of the largest event's size for blocks that the core makes itself.
@safe package final class BlockBuffer {
    /// The memory, aligned to 8.
    package let base: UnsafeMutableRawPointer

    /// Allocates the memory.
    package init() {
        unsafe base = .allocate(byteCount: Limits.eventBytes, alignment: 8)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// A writer that begins a new block here.
    package func writer() -> BlockWriter {
        unsafe BlockWriter(base: base, capacity: Limits.eventBytes)
    }
}
