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

/// What a tracker did so far.
public struct TrackerStatistics: Sendable, Equatable {
    /// Events that it was given.
    public var events: UInt64 = 0
    /// Timers that fired.
    public var timers: UInt64 = 0
    /// Records that it emitted.
    public var records: UInt64 = 0
    /// Beacons that it emitted.
    public var beacons: UInt64 = 0
    /// Records and beacons that no reporter got, because the viewer has not given consent.
    public var withheld: UInt64 = 0
    /// Errors that it returned.
    public var errors: UInt64 = 0

    /// Nothing happened yet.
    public init() {}
}
