package import Coordinator

/// The plugin instances of a process at this moment, and the runs that they are in.
package struct PluginMembers {
    /// Somebody to be told of changes; not kept alive by this.
    package struct Run {
        weak var run: (any ChangedRuns)?
    }

    /// The configured instances in their order.
    package var selections: [PluginSelection]
    /// The trackers of a run that begins now.
    package var setups: [TrackerSetup]
    /// The reporters.
    package var reporters: [ReporterSlot]
    /// The live runs and replays that go on.
    package var runs: [Run] = []
    /// Plugins that newer files took the place of.
    package var retired: [PluginStatus] = []

    /// The runs that are still there.
    package var liveRuns: [any ChangedRuns] {
        runs.compactMap(\.run)
    }
}
