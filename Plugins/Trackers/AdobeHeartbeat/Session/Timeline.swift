/// What went on in the present quantum: one item behind another, each until the next one.
struct Timeline {
    private var items: [TimelineItem] = []

    var last: TimelineItem? { items.last }

    mutating func append(_ item: TimelineItem) { items.append(item) }

    /// Lets a sleep of the machine pass: it is no time of what goes on.
    mutating func pass(_ sleep: Sleep) {
        guard !items.isEmpty else { return }
        items[items.count - 1].slept += sleep.milliseconds
    }

    mutating func removeAll() { items.removeAll(keepingCapacity: true) }

    /// Counts all items and gives the entries that they make up, in the order in which each kind first came.
    ///
    /// Items of one kind are one entry: durations add up, the last item's place and time count, and what was before the
    /// first one is what was before all of them. Totals are those at the quantum's end. Pauses are not told, nor is a
    /// start that something led back to and that was over in that instant.
    func entries(until now: Int64) -> [Entry] {
        var entries: [Entry] = []
        for (index, item) in items.enumerated() where item.type != .pause {
            let end = index + 1 < items.count ? items[index + 1].timestamp : now
            let duration = end - item.timestamp - item.slept
            if item.type == .start, duration == 0, item.asset.totalCount(.start) > 0 { continue }
            let previous = item.asset.count(item.type, duration: duration, timestamp: item.timestamp)
            if let known = entries.firstIndex(where: { $0.item.isSameGroup(as: item) }) {
                entries[known].item = item
                entries[known].duration += duration
            } else {
                entries.append(Entry(item: item, duration: duration, previousTimestamp: previous, dateTimestamp: now))
            }
        }
        return entries
    }
}
