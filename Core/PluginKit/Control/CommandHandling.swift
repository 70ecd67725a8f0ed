public import EventModel
internal import PluginABI
public import TextEncoding

/// A tracker with commands and queries of its own (`tally.command/1`).
public protocol CommandHandling: Tracker {
    /// The commands that there are, the same each time.
    static var commands: [CommandDescriptor] { get }

    /// Runs a command and gives its answer.
    ///
    /// Called in order with the events. A command whose descriptor says that it changes state is archived and runs
    /// again in a replay; while the tracker is enabled it may emit. A query must change nothing and emit nothing: a
    /// replay does not know of it.
    ///
    /// - Parameters:
    ///   - command: one of the names in ``commands``.
    ///   - arguments: an object without members when none were given.
    ///   - time: what the time is, us since the run began.
    ///   - state: the player at that instant.
    /// - Returns: the answer.
    /// - Throws: why the command was not run.
    func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue
}

/// A reporter with commands and queries of its own (`tally.command/1`).
public protocol CommandHandlingReporter: Reporter {
    /// The commands that there are, the same each time.
    static var commands: [CommandDescriptor] { get }

    /// Runs a command and gives its answer, on the reporter's thread.
    ///
    /// `command` is one of the names in ``commands``; `arguments` is an object without members when none were given.
    func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue
}

/// A command or query that a plugin offers.
public struct CommandDescriptor: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// What it does and which arguments it takes, in one line.
    public let summary: String
    /// Whether it changes what the plugin says from then on: a tracker's command that does is archived.
    public let changesState: Bool

    /// Describes a command.
    public init(_ name: String, _ summary: String, changesState: Bool) {
        self.name = name
        self.summary = summary
        self.changesState = changesState
    }

    /// The list that the ABI hands over.
    static func list(_ commands: [CommandDescriptor]) -> String {
        let items = commands.map { command in
            var members = JSONObject()
            members["name"] = .string(command.name)
            members["summary"] = .string(command.summary)
            members["changes"] = .bool(command.changesState)
            return JSONValue.object(members)
        }
        return JSONValue.array(items).canonicalText
    }
}

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
