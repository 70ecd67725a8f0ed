public import Coordinator
public import PluginLoading
public import Reporting

/// What a plugin is at this moment, and what it did.
public struct PluginStatus: Sendable, Equatable {
    /// How far a plugin has come.
    public enum State: String, Sendable {
        /// Its file was found and is not used: another directory's file has its id, or it waits to be loaded.
        case discovered
        /// Its file cannot be used.
        case rejected
        /// Its file is not used because a process died in it.
        case quarantined
        /// Its file can be used; no instance is configured.
        case loaded
        /// An instance is at work.
        case enabled
        /// An instance is there and is not at work.
        case disabled
        /// An instance was disabled for its errors, or its file cannot be used.
        case failed
        /// A call into an instance did not come back: the run goes on without it.
        case stuck
        /// An instance is configured, and no file has its plugin.
        case missing
        /// A newer file has taken its place.
        case retired
    }

    /// Name of the instance; of a plugin without one, what people call it.
    public var name: String
    /// Id of the plugin; empty when it is not known.
    public var plugin: String
    /// Its version; empty when it is not known.
    public var version: String
    /// Its version in full; empty when it is not known.
    public var fullVersion: String
    /// SHA-256 of its file, lower-case hex; empty when it is not known.
    public var sha256: String
    /// Its file.
    public var file: String
    /// Tracker or reporter; nil when it is not known.
    public var kind: PluginKind?
    /// How far it has come.
    public var state: State
    /// Why, one sentence; empty when there is nothing to say.
    public var reason: String
    /// What a tracker did; nil for everything else.
    public var tracker: TrackerStatistics?
    /// How long a tracker's calls took; nil for everything else.
    package var times: CallTimes?
    /// The process that a tracker has of its own; nil for everything else.
    public var process: Int32?
    /// What a reporter did; nil for everything else.
    public var reporter: ReporterStatistics?
    /// The commands that the instance offers.
    public var commands: [PluginCommand]

    /// Describes a file of which nothing else is known.
    public init(name: String, file: String, state: State, reason: String) {
        self.name = name
        self.file = file
        self.state = state
        self.reason = reason
        plugin = ""
        version = ""
        fullVersion = ""
        sha256 = ""
        commands = []
    }

    /// Describes an instance that is left out.
    package init(absent selection: PluginSelection, _ error: PluginError) {
        let state: State =
            if error.quarantined != nil { .quarantined } else if error.isUnknownPlugin { .missing } else { .failed }
        self.init(name: selection.name, file: error.file ?? "", state: state, reason: error.reason)
        plugin = selection.plugin
        sha256 = error.quarantined ?? ""
    }

    /// Describes an instance that is left out although its plugin was found.
    package init(unfit selection: PluginSelection, _ plugin: PluginDescription, _ error: PluginError) {
        self.init(name: selection.name, plugin, state: .failed, reason: error.reason)
    }

    /// Describes a plugin of a library.
    package init(name: String, _ description: PluginDescription, state: State, reason: String = "") {
        self.init(name: name, file: description.path, state: state, reason: reason)
        plugin = description.id
        version = description.version
        fullVersion = description.fullVersion.text
        sha256 = description.sha256
        kind = description.kind
    }

    /// Describes a tracker of a run.
    package init(_ report: TrackerReport) {
        let state: State =
            if report.isEnabled {
                .enabled
            } else if report.stuckIn != nil {
                .stuck
            } else {
                report.failure.isEmpty ? .disabled : .failed
            }
        self.init(name: report.name, report.plugin, state: state, reason: report.reason)
        tracker = report.statistics
        times = report.times
        process = report.process
        commands = report.commands
    }
}
