package import PluginKit

/// The vendor's properties and calls for privacy as commands (DCR Sweden Video iOS SDK, "Privacy and Opt-Out").
extension NielsenDCRTracker: CommandHandling {
    package static let commands: [CommandDescriptor] = [
        CommandDescriptor("optOutURL", "the page on which the user chooses; show it in a browser", changesState: false),
        CommandDescriptor("optOutStatus", "whether the user is opted out, and by what", changesState: false),
        CommandDescriptor(
            "userOptOut",
            "takes over the address that the page ends on: {\"url\":\"\(OptOut.outURL)\"} or {\"url\":\"\(OptOut.inURL)\"}",
            changesState: true
        ),
        CommandDescriptor("appDisableApi", "switches the instance off or on: {\"value\":true}", changesState: true),
        CommandDescriptor("state", "the state of the instance's life cycle", changesState: false),
    ]

    package func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue {
        switch command {
        case "optOutURL": return ["optOutURL": .string(configuration.optOutURL)]
        case "optOutStatus": return optOutStatus
        case "userOptOut":
            let url = try Self.argument { () throws(ConfigurationError) in try arguments.text("url") }
            let api = try startedAPI(at: time, state)
            return ["accepted": .bool(api.userOptOut(url))]
        case "appDisableApi":
            let value = try Self.argument { () throws(ConfigurationError) in try arguments.flag("value", default: true)
            }
            let api = try startedAPI(at: time, state)
            api.disable(value)
            return ["appDisableApi": .bool(api.isDisabledByCall)]
        case "state": return ["state": .string((api?.state ?? .initial).rawValue)]
        default: throw .unknown(command: command, known: Self.commands.map(\.name))
        }
    }

    private var optOutStatus: JSONValue {
        guard let optOut = api?.optOut else { return ["optOutStatus": .bool(configuration.isForKids), "source": nil] }
        return ["optOutStatus": .bool(optOut.isOptedOut), "source": optOut.source.map { .string($0.rawValue) } ?? nil]
    }

    /// The API; a call can be the first thing that is heard.
    private func startedAPI(at time: Int64, _ state: PlayerState) throws(CommandError) -> AppAPI {
        guard let api else { throw .refused("the tracker is disabled: enable it first") }
        if configuration.application != nil { start(at: moment(time, state)) }
        return api
    }

    private static func argument<Value>(_ read: () throws(ConfigurationError) -> Value) throws(CommandError) -> Value {
        do throws(ConfigurationError) {
            return try read()
        } catch {
            throw .argument(error)
        }
    }
}
