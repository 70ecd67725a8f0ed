internal import Synchronization

/// A bounded queue of numbers for many producers and many consumers, without locks.
///
/// Dmitry Vyukov's design: each cell carries a sequence number that tells whose turn it is. A value that points at its
/// memory and not an object: counting references to one object from all threads costs more than the queue itself. Who
/// makes it calls ``deallocate()`` when nobody uses it any more.
@safe package struct IndexRing: @unchecked Sendable {
    private struct Cell: ~Copyable {
        let sequence: Atomic<Int>
        var value: UInt32 = 0

        init(sequence: Int) { self.sequence = Atomic(sequence) }
    }

    /// The two counters, each alone on its cache lines, so that producers and consumers do not slow each other down.
    private struct Counters: ~Copyable {
        typealias Line = (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)

        let enqueued = Atomic<Int>(0)
        private let padding: Line = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let dequeued = Atomic<Int>(0)
        private let end: Line = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    private let counters: UnsafeMutablePointer<Counters>
    private let cells: UnsafeMutablePointer<Cell>
    private let mask: Int

    /// Makes an empty queue for `capacity` numbers, a power of two.
    package init(capacity: Int) {
        precondition(capacity > 1 && capacity & (capacity - 1) == 0, "capacity \(capacity) is no power of two")
        mask = capacity - 1
        let memory = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<Counters>.size, alignment: 128)
        unsafe counters = memory.bindMemory(to: Counters.self, capacity: 1)
        unsafe counters.initialize(to: Counters())
        unsafe cells = .allocate(capacity: capacity)
        for index in 0..<capacity {
            unsafe (cells + index).initialize(to: Cell(sequence: index))
        }
    }

    /// Frees the memory.
    package func deallocate() {
        unsafe cells.deinitialize(count: mask + 1)
        unsafe cells.deallocate()
        unsafe counters.deinitialize(count: 1)
        unsafe counters.deallocate()
    }

    /// Adds a number; gives how many were added before it, or nil when the queue is full.
    ///
    /// What the caller reads afterwards is read after the number can be seen by others: a full barrier.
    package func push(_ value: UInt32) -> Int? {
        var position = unsafe counters.pointee.enqueued.load(ordering: .relaxed)
        while true {
            let cell = unsafe cells + (position & mask)
            let difference = unsafe cell.pointee.sequence.load(ordering: .acquiring) &- position
            if difference == 0 {
                let (exchanged, original) = unsafe counters.pointee.enqueued.weakCompareExchange(
                    expected: position,
                    desired: position &+ 1,
                    ordering: .relaxed
                )
                if exchanged {
                    unsafe cell.pointee.value = value
                    // An exchange, because it is a barrier as well: quicker than a store and a fence.
                    _ = unsafe cell.pointee.sequence.exchange(position &+ 1, ordering: .sequentiallyConsistent)
                    return position
                }
                position = original
            } else if difference < 0 {
                return nil
            } else {
                position = unsafe counters.pointee.enqueued.load(ordering: .relaxed)
            }
        }
    }

    /// Takes the oldest number, nil when there is none.
    package func pop() -> UInt32? {
        var position = unsafe counters.pointee.dequeued.load(ordering: .relaxed)
        while true {
            let cell = unsafe cells + (position & mask)
            let difference = unsafe cell.pointee.sequence.load(ordering: .acquiring) &- (position &+ 1)
            if difference == 0 {
                let (exchanged, original) = unsafe counters.pointee.dequeued.weakCompareExchange(
                    expected: position,
                    desired: position &+ 1,
                    ordering: .relaxed
                )
                if exchanged {
                    let value = unsafe cell.pointee.value
                    unsafe cell.pointee.sequence.store(position &+ mask &+ 1, ordering: .releasing)
                    return value
                }
                position = original
            } else if difference < 0 {
                return nil
            } else {
                position = unsafe counters.pointee.dequeued.load(ordering: .relaxed)
            }
        }
    }

    /// About how many numbers are in the queue.
    package var count: Int {
        let enqueued = unsafe counters.pointee.enqueued.load(ordering: .relaxed)
        return unsafe max(0, enqueued - counters.pointee.dequeued.load(ordering: .relaxed))
    }
}

/// Room at the end of an object whose memory a thread writes all the time: what lies behind it is on another cache
/// line, and no thread that uses that waits for this one.
package struct CacheLineSpacing {
    /// Two lines, because processors fetch them in pairs.
    private let bytes = InlineArray<16, UInt64>(repeating: 0)

    /// Leaves the space unset: nobody reads it.
    package init() {}
}
