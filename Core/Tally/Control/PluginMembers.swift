internal import Coordinator

/// The plugin instances of a process at this moment, and the runs that they are in.
struct PluginMembers {
    /// Somebody to be told of changes; not kept alive by this.
    struct Run {
        weak var run: (any ChangedRuns)?
    }

    /// The configured instances in their order.
    var selections: [PluginSelection]
    /// The trackers of a run that begins now.
    var setups: [TrackerSetup]
    /// The reporters.
    var reporters: [ReporterSlot]
    /// The live runs and replays that go on.
    var runs: [Run] = []
    /// Plugins that newer files took the place of.
    var retired: [PluginStatus] = []

    /// The runs that are still there.
    var liveRuns: [any ChangedRuns] {
        runs.compactMap(\.run)
    }
}
