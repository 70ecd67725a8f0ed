package import Archive
internal import PluginABI
package import PluginLoading

/// Why telemetry cannot be set up, or a recorded run cannot be replayed.
public struct TelemetryError: Error, Sendable, CustomStringConvertible {
    /// What kind of problem it is; decides a host's exit code.
    public enum Kind: Sendable {
        /// A plugin file cannot be used, or no plugin has the name.
        case plugin
        /// A plugin refused its configuration.
        case configuration
        /// A reporter cannot write where it was told to.
        case reporterOutput
        /// An archive cannot be written.
        case archiveOutput
        /// An archive cannot be read.
        case archiveInput
        /// An archive is newer than this version.
        case newerArchive
    }

    /// What kind of problem it is.
    public let kind: Kind
    /// The plugin instance that it concerns, nil when it concerns none.
    public let instance: String?
    /// What happened and what to do, for a line that names the instance already.
    package let reason: String
    /// What happened, where, and what to do.
    public var description: String { instance.map { "\($0): \(reason)" } ?? reason }

    /// An error that concerns no plugin instance.
    public init(kind: Kind, _ description: String) {
        self.kind = kind
        reason = description
        instance = nil
    }

    /// An error that concerns a plugin instance, with a sentence that does not name it.
    init(kind: Kind, _ reason: String, instance: String) {
        self.kind = kind
        self.reason = reason
        self.instance = instance
    }

    /// A reporter whose output cannot be taken up after a kill.
    static func noMark(instance: String, _ reason: String) -> TelemetryError {
        TelemetryError(kind: .configuration, "its output cannot be resumed: \(reason)", instance: instance)
    }

    package init(_ error: PluginError) {
        switch error {
        case .failed(_, _, TALLY_ERR_CONFIG, _): kind = .configuration
        case .failed(_, _, TALLY_ERR_IO, _): kind = .reporterOutput
        default: kind = .plugin
        }
        instance = error.instance
        reason = error.reason
    }

    package init(_ failure: ArchiveFile.Failure) {
        kind = .archiveOutput
        reason = failure.description
        instance = nil
    }

    package init(_ failure: ArchiveSource.Failure) {
        kind = .archiveInput
        reason = failure.description
        instance = nil
    }
}
