internal import CLinux
internal import EventModel
internal import Glibc
internal import Synchronization
internal import System

/// The bounded queue between track calls and the coordinator: lock-free, all memory allocated at the start.
///
/// The memory of slots that never were in use is not touched, so that a player who is never behind costs little of it.
///
/// A track call claims a slot, writes its block there and publishes it; the coordinator takes blocks in the order of
/// publishing, hands the same memory to the plugins, and releases the slot. Runs that share a thread share its queue.
///
/// A value that points at its memory, for the reason that ``IndexRing`` gives. Who makes it calls ``deallocate()``.
@safe package struct EventQueue: @unchecked Sendable {
    /// Bytes of an ordinary slot.
    package static let slotBytes = 1024
    /// Ordinary slots.
    package static let slots = 4096
    /// Slots of ``Limits/eventBytes`` for larger events.
    package static let largeSlots = 64

    /// The slots that go round from the start; further ones join them when none of these is free.
    private static let firstSlots = 256
    /// The same for large slots.
    private static let firstLargeSlots = 1
    /// Events that come further apart, us, are no flow: a nap between them would only be one more wake-up.
    private static let longestGap: Int64 = 5_000
    /// Every so many events a napping coordinator is woken.
    private static let batch = 256
    /// Bytes of all slots.
    private static let bytes = slots * slotBytes + largeSlots * Limits.eventBytes
    /// Bytes of a slot that a small event touches.
    private static let usualBytes = 320

    @safe private struct Storage: ~Copyable {
        let memory: UnsafeMutableRawPointer
        /// How many slots are, or were, in use.
        let begun = Atomic<Int>(EventQueue.firstSlots)
        let begunLarge = Atomic<Int>(EventQueue.firstLargeSlots)
        let free = IndexRing(capacity: EventQueue.slots)
        let freeLarge = IndexRing(capacity: EventQueue.largeSlots)
        let ready = IndexRing(capacity: EventQueue.slots * 2)
        let wake = WakeSignal()
        /// Whether events were taken since the last wait; the coordinator's alone.
        var isBusy = false
        /// Whether that wait was so long that the next event is not to be expected soon.
        var hasSlept = false
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// Allocates all memory.
    package init() {
        // Pages of zeros, which the system gives as they are touched.
        let mapped = unsafe mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe mapped, unsafe memory != MAP_FAILED else {
            preconditionFailure("no memory for the queue of events: error \(errno)")
        }
        // A huge page would be given whole, and the first calls should not wait for theirs.
        unsafe madvise(memory, Self.bytes, MADV_NOHUGEPAGE)
        unsafe memset(memory, 0, Self.firstSlots * Self.slotBytes)
        unsafe storage = .allocate(capacity: 1)
        unsafe storage.initialize(to: Storage(memory: memory))
        for index in 0..<Self.firstSlots {
            _ = free.push(UInt32(index))
        }
        for index in 0..<Self.firstLargeSlots {
            _ = freeLarge.push(UInt32(Self.slots + index))
        }
    }

    /// Frees the memory, once nobody uses the queue any more.
    package func deallocate() {
        free.deallocate()
        freeLarge.deallocate()
        ready.deallocate()
        unsafe storage.pointee.wake.deallocate()
        unsafe munmap(storage.pointee.memory, Self.bytes)
        unsafe storage.deinitialize(count: 1)
        unsafe storage.deallocate()
    }

    private var memory: UnsafeMutableRawPointer { unsafe storage.pointee.memory }
    private var free: IndexRing { unsafe storage.pointee.free }
    private var freeLarge: IndexRing { unsafe storage.pointee.freeLarge }
    private var ready: IndexRing { unsafe storage.pointee.ready }
    private var wake: WakeSignal { unsafe storage.pointee.wake }

    /// How full the queue is, in thousandths.
    package var fillPermille: Int { ready.count * 1000 / Self.slots }

    /// How many events wait.
    package var count: Int { ready.count }

    /// Takes an ordinary slot to write into, nil when all are in use.
    package func claim() -> EventSlot? {
        guard let index = free.pop() else {
            return unsafe Self.begin(storage.pointee.begun, of: Self.slots).map { slot(UInt32($0)) }
        }
        // Slots come round in nearly the same order, so this is mostly what the call after the next writes to.
        let next = (Int(index) &+ 2) & (Self.slots - 1)
        unsafe tally_prefetch(memory + next &* Self.slotBytes, Self.usualBytes)
        return slot(index)
    }

    /// Takes a large slot to write into, nil when all are in use.
    package func claimLarge() -> EventSlot? {
        if let index = freeLarge.pop() { return slot(index) }
        return unsafe Self.begin(storage.pointee.begunLarge, of: Self.largeSlots).map { slot(UInt32(Self.slots + $0)) }
    }

    /// The number of a slot that was never in use, nil when there is none.
    private static func begin(_ begun: borrowing Atomic<Int>, of all: Int) -> Int? {
        // Looked at first, so that refusals do not count on for ever.
        guard begun.load(ordering: .relaxed) < all else { return nil }
        let next = begun.add(1, ordering: .relaxed).oldValue
        return next < all ? next : nil
    }

    /// Hands a written slot to the coordinator of a run, by the run's number.
    package func publish(_ slot: EventSlot, of owner: UInt32 = 0) {
        // There are fewer slots than places, so there is always one.
        let position = ready.push(owner << EventSlot.indexBits | slot.index)
        assert(position != nil, "more slots than places")
        wake.notify(forMuch: (position ?? 0) & (Self.batch - 1) == 0)
    }

    /// Takes the next event, nil when there is none.
    package func next() -> EventSlot? {
        guard let value = ready.pop() else { return nil }
        unsafe storage.pointee.isBusy = true
        var next = slot(value & (1 << EventSlot.indexBits - 1))
        next.owner = value >> EventSlot.indexBits
        return next
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
    package func interrupt() { wake.interrupt() }

    /// Waits for an event or ``interrupt()``, at most `microseconds`.
    package func wait(microseconds: Int64) {
        let begin = SystemTime.monotonic()
        let isInFlow = unsafe storage.pointee.isBusy && !storage.pointee.hasSlept
        wake.wait(microseconds: microseconds, napping: isInFlow) { ready.count == 0 }
        unsafe storage.pointee.hasSlept = SystemTime.monotonic() - begin > Self.longestGap
        unsafe storage.pointee.isBusy = false
    }

    private func slot(_ index: UInt32) -> EventSlot {
        let index = Int(index)
        if index < Self.slots {
            return unsafe EventSlot(
                base: memory + index * Self.slotBytes,
                capacity: Self.slotBytes,
                index: UInt32(index)
            )
        }
        let offset = Self.slots * Self.slotBytes + (index - Self.slots) * Limits.eventBytes
        return unsafe EventSlot(base: memory + offset, capacity: Limits.eventBytes, index: UInt32(index))
    }
}

/// Memory for one event block, taken from an ``EventQueue``.
@safe package struct EventSlot {
    /// The block's memory, aligned to 8.
    package let base: UnsafeMutableRawPointer
    /// Its bytes.
    package let capacity: Int
    /// The number that the queue knows it by.
    let index: UInt32
    /// The number of the run whose event it has, once it was published.
    package fileprivate(set) var owner: UInt32 = 0

    /// How many bits a slot's number has.
    fileprivate static let indexBits: UInt32 = 13
    /// The highest number of a run.
    package static let lastOwner: UInt32 = 1 << (32 - indexBits) - 1

    fileprivate init(base: UnsafeMutableRawPointer, capacity: Int, index: UInt32) {
        unsafe self.base = base
        self.capacity = capacity
        self.index = index
    }
}
