package import EventModel

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
