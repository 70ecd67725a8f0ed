internal import EventModel
internal import PluginABI

/// The one-shot timers of one tracker, ordered by deadline, then by the order in which they were started.
package struct TimerQueue {
    /// A timer that is due.
    package struct Due {
        /// Its id.
        package let id: UInt64
        /// When it was to fire, us.
        package let deadline: Int64
    }

    private struct Entry {
        var deadline: Int64
        let id: UInt64
        let scope: UInt32

        /// Ids rise, so they tell the order in which timers were started.
        func isBefore(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : id < other.id
        }
    }

    private var heap: [Entry] = []
    private var running: Set<UInt64> = []
    private var lastID: UInt64 = 0

    package init() {}

    /// How many timers are running.
    package var count: Int {
        running.count
    }

    /// How many timers take up memory: those that are running, and cancelled ones that were not cleared away yet.
    package var storedCount: Int {
        heap.count
    }

    /// The next deadline, nil when no timer is running.
    package var nextDeadline: Int64? {
        heap.first?.deadline
    }

    /// Starts a timer.
    ///
    /// - Returns: its id, or nil when ``Limits/timers`` are running already.
    package mutating func start(deadline: Int64, scope: UInt32) -> UInt64? {
        guard running.count < Limits.timers else { return nil }
        lastID += 1
        running.insert(lastID)
        heap.append(Entry(deadline: deadline, id: lastID, scope: scope))
        siftUp(from: heap.count - 1)
        return lastID
    }

    /// Cancels a timer; an id that is not running is left alone.
    package mutating func cancel(_ id: UInt64) {
        guard running.remove(id) != nil else { return }
        if heap.first?.id == id {
            removeFirst()
            dropCancelled()
        } else if heap.count > running.count * 2 + 64 {
            rebuild { _ in true }
        }
    }

    /// Cancels all timers of a session.
    package mutating func cancelSession() {
        for entry in heap where entry.scope == TALLY_TIMER_SESSION {
            running.remove(entry.id)
        }
        rebuild { $0.scope != TALLY_TIMER_SESSION }
    }

    /// Cancels all timers.
    package mutating func cancelAll() {
        heap.removeAll(keepingCapacity: true)
        running.removeAll(keepingCapacity: true)
    }

    /// Takes the next timer that is due at `time` exactly or before, nil when there is none.
    package mutating func remove(dueAt time: Int64) -> Due? {
        guard let first = heap.first, first.deadline <= time else { return nil }
        removeFirst()
        running.remove(first.id)
        dropCancelled()
        return Due(id: first.id, deadline: first.deadline)
    }

    /// Lets the timers whose deadline lies before a limit fire later by so many us.
    package mutating func postpone(before limit: Int64, by microseconds: Int64) {
        guard heap.contains(where: { $0.deadline < limit }) else { return }
        for place in heap.indices where heap[place].deadline < limit {
            let (later, isNever) = heap[place].deadline.addingReportingOverflow(microseconds)
            heap[place].deadline = isNever ? .max : later
        }
        rebuild { _ in true }
    }

    // MARK: - Heap; its first entry is always a running timer

    private mutating func dropCancelled() {
        while let first = heap.first, !running.contains(first.id) {
            removeFirst()
        }
    }

    private mutating func rebuild(keeping keep: (Entry) -> Bool) {
        let old = heap
        heap.removeAll(keepingCapacity: true)
        for entry in old where running.contains(entry.id) && keep(entry) {
            heap.append(entry)
            siftUp(from: heap.count - 1)
        }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown()
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in (parent * 2 + 1)...(parent * 2 + 2) where child < heap.count {
                if heap[child].isBefore(heap[least]) {
                    least = child
                }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
