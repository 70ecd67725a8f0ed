internal import Synchronization

/// A bounded queue of numbers for many producers and many consumers, without locks.
///
/// Dmitry Vyukov's design: each cell carries a sequence number that tells whose turn it is.
@safe package final class IndexRing: @unchecked Sendable {
    private struct Cell: ~Copyable {
        let sequence: Atomic<Int>
        var value: UInt32 = 0

        init(sequence: Int) {
            self.sequence = Atomic(sequence)
        }
    }

    /// A counter alone on its cache lines, so that producers and consumers do not slow each other down.
    private struct Counter: ~Copyable {
        let value = Atomic<Int>(0)
        private let padding: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) =
            (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    private let cells: UnsafeMutablePointer<Cell>
    private let mask: Int
    private let enqueued = Counter()
    private let dequeued = Counter()

    /// Makes an empty queue for `capacity` numbers, a power of two.
    package init(capacity: Int) {
        precondition(capacity > 1 && capacity & (capacity - 1) == 0, "capacity \(capacity) is no power of two")
        mask = capacity - 1
        unsafe cells = .allocate(capacity: capacity)
        for index in 0..<capacity {
            unsafe (cells + index).initialize(to: Cell(sequence: index))
        }
    }

    deinit {
        unsafe cells.deinitialize(count: mask + 1)
        unsafe cells.deallocate()
    }

    /// Adds a number; gives how many were added before it, or nil when the queue is full.
    package func push(_ value: UInt32) -> Int? {
        var position = enqueued.value.load(ordering: .relaxed)
        while true {
            let cell = unsafe cells + (position & mask)
            let difference = unsafe cell.pointee.sequence.load(ordering: .acquiring) - position
            if difference == 0 {
                let (exchanged, original) = enqueued.value.weakCompareExchange(
                    expected: position, desired: position + 1, ordering: .relaxed)
                if exchanged {
                    unsafe cell.pointee.value = value
                    unsafe cell.pointee.sequence.store(position + 1, ordering: .releasing)
                    return position
                }
                position = original
            } else if difference < 0 {
                return nil
            } else {
                position = enqueued.value.load(ordering: .relaxed)
            }
        }
    }

    /// Takes the oldest number, nil when there is none.
    package func pop() -> UInt32? {
        var position = dequeued.value.load(ordering: .relaxed)
        while true {
            let cell = unsafe cells + (position & mask)
            let difference = unsafe cell.pointee.sequence.load(ordering: .acquiring) - (position + 1)
            if difference == 0 {
                let (exchanged, original) = dequeued.value.weakCompareExchange(
                    expected: position, desired: position + 1, ordering: .relaxed)
                if exchanged {
                    let value = unsafe cell.pointee.value
                    unsafe cell.pointee.sequence.store(position + mask + 1, ordering: .releasing)
                    return value
                }
                position = original
            } else if difference < 0 {
                return nil
            } else {
                position = dequeued.value.load(ordering: .relaxed)
            }
        }
    }

    /// About how many numbers are in the queue.
    package var count: Int {
        max(0, enqueued.value.load(ordering: .relaxed) - dequeued.value.load(ordering: .relaxed))
    }
}
