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
