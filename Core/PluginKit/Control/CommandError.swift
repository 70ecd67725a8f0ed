internal import PluginABI

/// Says why a plugin's command was not run.
public enum CommandError: Error, Equatable, CustomStringConvertible {
    /// The plugin has no command of this name.
    case unknown(command: String, known: [String])
    /// An argument is missing or cannot be used.
    case argument(ConfigurationError)
    /// The command makes no sense at this moment; one line says why and what to do.
    case refused(String)

    /// One line: what, and what to do.
    public var description: String {
        switch self {
        case .unknown(let command, let known):
            "there is no command \"\(command)\"; there are: \(known.joined(separator: ", "))"
        case .argument(let error): error.description
        case .refused(let reason): reason
        }
    }

    /// What the ABI returns.
    var status: tally_status {
        switch self {
        case .unknown: TALLY_ERR_NOT_FOUND
        case .argument: TALLY_ERR_INVALID
        case .refused: TALLY_ERR_STATE
        }
    }
}
