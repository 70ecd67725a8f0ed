/// What is due when: a heap by time, in which what was moved is found out when its old time comes.
struct DueQueue {
    private var heap: [(due: Int64, key: RunKey)] = []

    /// When the first is due, us since 1970; nil when nothing is.
    var first: Int64? { heap.first?.due }

    /// Adds a run, which may be there already with another time.
    mutating func insert(_ key: RunKey, due: Int64) {
        heap.append((due, key))
        var place = heap.count - 1
        while place > 0, heap[(place - 1) / 2].due > heap[place].due {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes the first run that is due at `now`; nil when none is.
    mutating func removeFirst(dueAt now: Int64) -> RunKey? {
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
