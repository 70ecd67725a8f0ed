internal import TextEncoding

/// A command or query that a plugin offers.
public struct PluginCommand: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// What it does and which arguments it takes, in one line.
    public let summary: String
    /// Whether it changes what the plugin does from then on: a tracker's command that does is archived.
    public let changesState: Bool

    /// Describes a command.
    public init(name: String, summary: String, changesState: Bool) {
        self.name = name
        self.summary = summary
        self.changesState = changesState
    }

    /// Reads a plugin's list; entries without a name are left out.
    static func list(_ text: String) -> [PluginCommand] {
        guard let entries = (try? JSONParser().parse(text))?.array else { return [] }
        return entries.compactMap { entry in
            entry["name"]?.string.map { name in
                PluginCommand(
                    name: name,
                    summary: entry["summary"]?.string ?? "",
                    changesState: entry["changes"]?.bool ?? true
                )
            }
        }
    }
}
