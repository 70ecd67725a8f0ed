package import Archive
package import Coordinator

/// Why telemetry cannot be set up, or a recorded run cannot be replayed.
public struct TelemetryError: Error, Sendable, CustomStringConvertible {
    /// What kind of problem it is; decides a host's exit code.
    public enum Kind: Sendable {
        /// A plugin file cannot be used, or no plugin has the name.
        case plugin
        /// A plugin refused its configuration.
        case configuration
        /// An archive cannot be written.
        case archiveOutput
        /// An archive cannot be read.
        case archiveInput
        /// An archive is newer than this version.
        case newerArchive
    }

    /// What kind of problem it is.
    public let kind: Kind
    /// What happened, where, and what to do.
    public let description: String

    package init(kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    package init(_ error: PluginError) {
        if case .failed(_, "init", let status, _) = error, status == -4 {
            kind = .configuration
        } else {
            kind = .plugin
        }
        description = error.description
    }

    package init(_ failure: ArchiveFile.Failure) {
        kind = .archiveOutput
        description = failure.description
    }

    package init(_ failure: ArchiveSource.Failure) {
        kind = .archiveInput
        description = failure.description
    }
}
