package import PluginLoading

/// What a tracker of a run is and did.
package struct TrackerReport: Sendable {
    /// Its configured name.
    package let name: String
    /// Its plugin.
    package let plugin: PluginDescription
    /// Whether it is enabled.
    package let isEnabled: Bool
    /// Why the core has disabled it, empty when it has not.
    package let failure: String
    /// What it did so far.
    package let statistics: TrackerStatistics
    /// The commands that it offers.
    package let commands: [PluginCommand]

    init(_ tracker: TrackerInstance) {
        name = tracker.name
        plugin = tracker.description
        isEnabled = tracker.isEnabled
        failure = tracker.failure
        statistics = tracker.statistics
        commands = tracker.instance?.commands ?? []
    }
}
