internal import EventModel
internal import Glibc
internal import Synchronization

/// The bounded queue between track calls and the coordinator: lock-free, all memory allocated at the start.
///
/// A track call claims a slot, writes its block there and publishes it; the coordinator takes blocks in the order of
/// publishing, hands the same memory to the plugins, and releases the slot.
@safe package final class EventQueue: @unchecked Sendable {
    /// Bytes of an ordinary slot.
    package static let slotBytes = 1024
    /// Ordinary slots.
    package static let slots = 4096
    /// Slots of ``Limits/eventBytes`` for larger events.
    package static let largeSlots = 64

    private let memory: UnsafeMutableRawPointer
    private let free = IndexRing(capacity: EventQueue.slots)
    private let freeLarge = IndexRing(capacity: EventQueue.largeSlots)
    private let ready = IndexRing(capacity: EventQueue.slots * 2)
    private let wake: WakeSignal
    /// Whether events were taken since the last wait. The coordinator's alone.
    @safe @exclusivity(unchecked) private var isBusy = false

    /// Every so many events a napping coordinator is woken.
    private static let batch = 256

    /// Allocates all memory.
    package init() {
        let bytes = Self.slots * Self.slotBytes + Self.largeSlots * Limits.eventBytes
        unsafe memory = .allocate(byteCount: bytes, alignment: 64)
        unsafe memset(memory, 0, bytes)
        wake = WakeSignal()
        for index in 0..<Self.slots {
            _ = free.push(UInt32(index))
        }
        for index in 0..<Self.largeSlots {
            _ = freeLarge.push(UInt32(Self.slots + index))
        }
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// How full the queue is, in thousandths.
    package var fillPermille: Int {
        ready.count * 1000 / Self.slots
    }

    /// How many events wait.
    package var count: Int {
        ready.count
    }

    /// Takes an ordinary slot to write into, nil when all are in use.
    package func claim() -> EventSlot? {
        free.pop().map(slot)
    }

    /// Takes a large slot to write into, nil when all are in use.
    package func claimLarge() -> EventSlot? {
        freeLarge.pop().map(slot)
    }

    /// Hands a written slot to the coordinator.
    package func publish(_ slot: EventSlot) {
        // There are fewer slots than places, so there is always one.
        let position = ready.push(slot.index)
        assert(position != nil, "more slots than places")
        wake.notify(forMuch: (position ?? 0) & (Self.batch - 1) == 0)
    }

    /// Takes the next event, nil when there is none.
    package func next() -> EventSlot? {
        guard let index = ready.pop() else { return nil }
        isBusy = true
        return slot(index)
    }

    /// Gives a slot back: after ``next()``, or when nothing was published.
    package func release(_ slot: EventSlot) {
        if slot.capacity > Self.slotBytes {
            _ = freeLarge.push(slot.index)
        } else {
            _ = free.push(slot.index)
        }
    }

    /// Wakes the coordinator without an event.
    package func interrupt() {
        wake.interrupt()
    }

    /// Waits for an event or ``interrupt()``, at most `microseconds`.
    package func wait(microseconds: Int64) {
        wake.wait(microseconds: microseconds, napping: isBusy) { ready.count == 0 }
        isBusy = false
    }

    private func slot(_ index: UInt32) -> EventSlot {
        let index = Int(index)
        if index < Self.slots {
            return unsafe EventSlot(
                base: memory + index * Self.slotBytes, capacity: Self.slotBytes, index: UInt32(index))
        }
        let offset = Self.slots * Self.slotBytes + (index - Self.slots) * Limits.eventBytes
        return unsafe EventSlot(base: memory + offset, capacity: Limits.eventBytes, index: UInt32(index))
    }
}
