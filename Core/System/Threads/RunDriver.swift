/// Drives its share of a process's player runs on one thread: does what came for them, and what falls due.
///
/// Applications and the collector drive their runs so. How things come differs: a track call must not wait, and so has
/// a queue without locks; what comes by a network may.
package protocol RunDriver: AnyObject {
    /// What a run is known by.
    associatedtype Key

    /// What is due when.
    var schedule: DueQueue<Key> { get set }
    /// The time by which runs are due, us.
    var dueTime: Int64 { get }

    /// Waits until something comes, at most so many us; nil waits for ever.
    func awaitArrivals(atMost microseconds: Int64?)
    /// Does what came, without waiting for more.
    ///
    /// - Returns: false when nothing is to come any more.
    func handleArrivals() -> Bool
    /// Does what is due in a run at a time of ``dueTime``.
    func advance(_ key: Key, to time: Int64)
    /// Ends a turn: what came and what was due is done.
    func endTurn()
}

extension RunDriver {
    /// Drives the runs until nothing is to come any more.
    ///
    /// What came before a time is done before what is due then.
    package func drive() {
        var goesOn = true
        while goesOn {
            awaitArrivals(atMost: schedule.first.map { max(0, $0 - dueTime) })
            let time = dueTime
            goesOn = handleArrivals()
            advanceRuns(to: time)
            endTurn()
        }
    }

    package func endTurn() {}

    /// Does what is due in all runs at a time.
    package func advanceRuns(to time: Int64) {
        while let key = schedule.removeFirst(dueAt: time) { advance(key, to: time) }
    }
}

/// What is due when: a heap by time, in which what was moved is found out when its old time comes.
package struct DueQueue<Key> {
    private var heap: [(due: Int64, key: Key)] = []

    /// Nothing is due.
    package init() {}

    /// When the first is due, us; nil when nothing is.
    package var first: Int64? { heap.first?.due }

    /// Adds a key, which may be there already with another time.
    package mutating func insert(_ key: Key, due: Int64) {
        heap.append((due, key))
        var place = heap.count - 1
        while place > 0, heap[(place - 1) / 2].due > heap[place].due {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes the first key that is due at `now`; nil when none is.
    package mutating func removeFirst(dueAt now: Int64) -> Key? {
        guard let first = heap.first, first.due <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.key }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && heap[child].due < heap[least].due {
                least = child
            }
            guard least != place else { return first.key }
            heap.swapAt(place, least)
            place = least
        }
    }
}
