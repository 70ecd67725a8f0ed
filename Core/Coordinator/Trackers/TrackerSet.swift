internal import PluginLoading

/// The trackers of a run in their order, which decides the order of merged outputs. [core]
@safe final class TrackerSet {
    /// What a tracker did that another one has taken the place of.
    struct Retired {
        let name: String
        let description: PluginDescription
    }

    /// The trackers.
    private(set) var all: [TrackerInstance]
    /// Those that were replaced, the oldest first.
    private(set) var retired: [Retired] = []
    /// The same as ``all`` without counting references: an event is handed over in less time than that takes.
    @safe @exclusivity(unchecked) private(set) var handlers: UnsafeMutablePointer<Unmanaged<TrackerInstance>>
    /// How many there are.
    @safe @exclusivity(unchecked) private(set) var count: Int

    init(_ trackers: [TrackerInstance]) {
        all = trackers
        count = trackers.count
        unsafe handlers = Self.references(to: trackers)
    }

    deinit {
        unsafe handlers.deallocate()
    }

    /// How many records and beacons they have emitted.
    var outputCount: UInt64 {
        all.reduce(0) { $0 &+ $1.statistics.records &+ $1.statistics.beacons }
    }

    /// The tracker with a name, nil when there is none.
    func find(_ name: String) -> TrackerInstance? {
        all.first { $0.name == name }
    }

    /// Puts a tracker behind all others.
    func append(_ tracker: TrackerInstance) {
        update(all + [tracker])
    }

    /// Puts a tracker into the place of the one with its name.
    func replace(with tracker: TrackerInstance) {
        guard let place = all.firstIndex(where: { $0.name == tracker.name }) else { return }
        retired.append(Retired(name: tracker.name, description: all[place].description))
        var changed = all
        changed[place] = tracker
        update(changed)
    }

    /// Lets another tracker stand where one was left behind in a call.
    func leaveBehind(_ stuck: TrackerInstance, for other: TrackerInstance) {
        update(all.map { $0 === stuck ? other : $0 })
    }

    /// Takes a tracker out, and neither disables nor destroys it.
    func remove(_ name: String) -> TrackerInstance? {
        guard let tracker = find(name) else { return nil }
        update(all.filter { $0 !== tracker })
        return tracker
    }

    private func update(_ trackers: [TrackerInstance]) {
        unsafe handlers.deallocate()
        all = trackers
        count = trackers.count
        unsafe handlers = Self.references(to: trackers)
    }

    private static func references(
        to trackers: [TrackerInstance]
    ) -> UnsafeMutablePointer<Unmanaged<TrackerInstance>> {
        let references = UnsafeMutablePointer<Unmanaged<TrackerInstance>>.allocate(capacity: max(1, trackers.count))
        for (index, tracker) in trackers.enumerated() {
            unsafe (references + index).initialize(to: Unmanaged.passUnretained(tracker))
        }
        return unsafe references
    }
}
