internal import PluginKit

/// The three levels of trace lines.
package enum TraceLevel: String, Sendable {
    /// What goes on.
    case debug = "DEBUG"
    /// A call was ignored, or something is not as it should be.
    case warning = "WARN"
    /// The tracker cannot go on with the session.
    case error = "ERROR"

    /// The host's level for it.
    var hostLevel: LogLevel {
        switch self {
        case .debug: .debug
        case .warning: .warning
        case .error: .error
        }
    }
}
