package import Tally

/// Why a command was not carried out; nothing has changed.
package struct ControlProblem: Error, Equatable, Sendable {
    /// What kind of problem it is, as programs compare it: the value of `error` in a reply.
    package enum Code: String, CaseIterable, Sendable {
        /// The message is no JSON object with a command.
        case invalidMessage = "invalid_message"
        /// The message is longer than a message may be.
        case messageTooLong = "message_too_long"
        /// There are as many clients as there may be.
        case tooManyClients = "too_many_clients"
        /// No command has this name.
        case unknownCommand = "unknown_command"
        /// An argument is missing, too many, or not what it must be.
        case invalidArgument = "invalid_argument"
        /// A configuration does not fit the plugin's schema, or the configuration file is wrong.
        case invalidConfiguration = "invalid_configuration"
        /// There is nothing that could do this here.
        case unavailable
        /// No plugin instance has the name, or no plugin the id.
        case unknownPlugin = "unknown_plugin"
        /// The plugin has no such command, or takes none or no configuration while it runs.
        case notOffered = "not_offered"
        /// The plugin refused, or the player does while an ad is shown.
        case refused
        /// The file cannot be used.
        case badFile = "bad_file"
        /// The file is quarantined.
        case quarantined
        /// An instance of the name, or a plugin of the id, is there already.
        case duplicate
        /// The list of plugins is fixed.
        case fixed
        /// The change is too large for an archive.
        case tooLarge = "too_large"
        /// The run is over.
        case ended
        /// No answer came in time.
        case timedOut = "timed_out"
        /// The command was given on a thread that cannot wait for it.
        case wrongThread = "wrong_thread"
    }

    /// What kind of problem it is.
    package let code: Code
    /// What happened, where, and what to do.
    package let message: String

    /// A problem with a sentence.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What the core says.
    package init(_ error: ControlError) {
        let code: Code =
            switch error.kind {
            case .unknownPlugin: .unknownPlugin
            case .notOffered: .notOffered
            case .refused: .refused
            case .badFile: .badFile
            case .quarantined: .quarantined
            case .duplicate: .duplicate
            case .fixed: .fixed
            case .tooLarge: .tooLarge
            case .ended: .ended
            case .timedOut: .timedOut
            case .wrongThread: .wrongThread
            }
        self.init(code, error.description)
    }
}
