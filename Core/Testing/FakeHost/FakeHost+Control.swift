public import PluginABI
internal import PluginKit
internal import PluginLoading
public import TextEncoding

extension FakeHost {
    /// A plugin's answer to a command.
    public struct CommandAnswer: Sendable, Equatable {
        /// What the command returned; `TALLY_ERR_UNSUPPORTED` for a plugin that has no commands.
        public let status: tally_status
        /// What it answered, empty when it was refused.
        public let text: String

        /// Whether the plugin refused the command; the last of the host's ``FakeHost/faults`` says why.
        public var isRefused: Bool { status < TALLY_OK }

        /// The answer as a JSON value; nil when it was refused, or is no JSON.
        public var value: JSONValue? {
            // A literal nil would be the value null.
            guard !isRefused else { return Optional<JSONValue>.none }
            return try? JSONParser().parse(text)
        }
    }

    /// Gives the instance another configuration; `TALLY_ERR_UNSUPPORTED` for a plugin that takes none.
    ///
    /// A tracker gets the time and the state that ``player`` holds, a reporter neither.
    @discardableResult
    public func reconfigure(_ configuration: JSONValue) -> tally_status {
        reconfigure(text: configuration.canonicalText)
    }

    /// Gives the instance another configuration as it is written, JSON or not.
    @discardableResult
    public func reconfigure(text configuration: String) -> tally_status {
        guard let plugin = unsafe plugin, let table = unsafe table(TALLY_EXT_CONFIGURE, tally_configure.self) else {
            return TALLY_ERR_UNSUPPORTED
        }
        return unsafe tally_str.lend(configuration) { configuration in
            unsafe withMoment { unsafe table.pointee.configure(plugin, configuration, $0, $1) }
        }
    }

    /// Gives the instance a command with arguments.
    @discardableResult
    public func command(_ name: String, _ arguments: JSONValue = .object([:])) -> CommandAnswer {
        command(name, text: arguments.canonicalText)
    }

    /// Gives the instance a command with arguments as they are written, JSON or not.
    @discardableResult
    public func command(_ name: String, text arguments: String) -> CommandAnswer {
        guard let plugin = unsafe plugin, let table = unsafe table(TALLY_EXT_COMMAND, tally_command.self) else {
            return CommandAnswer(status: TALLY_ERR_UNSUPPORTED, text: "")
        }
        let sink = ByteSink()
        let status = unsafe tally_str.lend(name) { name in
            unsafe tally_str.lend(arguments) { arguments in
                unsafe sink.lend { sink in
                    unsafe withMoment { unsafe table.pointee.run(plugin, name, arguments, $0, $1, sink) }
                }
            }
        }
        return CommandAnswer(status: status, text: sink.text)
    }

    /// The instance's commands, JSON text; nil when it lists none.
    public var commandList: String? {
        guard let plugin = unsafe plugin, let table = unsafe table(TALLY_EXT_COMMAND, tally_command.self) else {
            return nil
        }
        return unsafe UTF8Text(table.pointee.list(plugin)).string
    }

    // MARK: - Parts

    /// Lends the time and the player's state to a tracker; a reporter gets neither.
    private func withMoment<Result>(_ body: (Int64, UnsafePointer<tally_state>?) -> Result) -> Result {
        if isReporter { return body(0, nil) }
        return unsafe withState { unsafe body(time, $0) }
    }
}
