internal import EventModel
internal import PluginABI
internal import TextEncoding

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

/// A command as it comes over the ABI: reads its arguments, hands its answer over.
@safe struct CommandCall {
    let name: String
    private let arguments: tally_str
    private let answer: UnsafePointer<tally_sink>

    init(_ name: tally_str, _ arguments: tally_str, _ answer: UnsafePointer<tally_sink>) {
        self.name = unsafe UTF8Text(name).string
        unsafe self.arguments = unsafe arguments
        unsafe self.answer = unsafe answer
    }

    /// Runs it, if it is one of those that there are.
    func run(
        _ commands: [CommandDescriptor],
        on port: HostPort,
        _ body: (String, JSONValue) throws(CommandError) -> JSONValue
    ) -> tally_status {
        do throws(CommandError) {
            guard commands.contains(where: { $0.name == name }) else {
                throw CommandError.unknown(command: name, known: commands.map(\.name))
            }
            return try write(body(name, parsedArguments()))
        } catch {
            return port.fail(error.status, error.description)
        }
    }

    private func parsedArguments() throws(CommandError) -> JSONValue {
        do throws(ConfigurationError) {
            return unsafe try ConfigurationText.parse(arguments)
        } catch {
            throw .argument(error)
        }
    }

    private func write(_ value: JSONValue) -> tally_status {
        var text = value.canonicalText
        return text.withUTF8 { bytes in
            unsafe answer.pointee.write(answer, bytes.baseAddress ?? UnsafePointer(Self.nothing), bytes.count)
        }
    }

    private nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}
