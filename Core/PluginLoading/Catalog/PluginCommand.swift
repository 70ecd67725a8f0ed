internal import PluginABI
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
    package static func list(_ text: String) -> [PluginCommand] {
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

    /// Such a list as JSON text.
    package static func text(of commands: [PluginCommand]) -> String {
        let list = commands.map { command -> JSONValue in
            .object([
                "name": .string(command.name), "summary": .string(command.summary),
                "changes": .bool(command.changesState),
            ])
        }
        return JSONValue.array(list).canonicalText
    }
}

extension PluginCatalog.Entry {
    /// The commands that the plugin's instances list.
    ///
    /// An instance is made and dropped for it. It is never initialised: nothing is configured, and nothing started.
    package var commands: [PluginCommand] {
        unsafe withUnsafePointer(to: Self.bareHost) { host in
            unsafe CText.with(description.shortName) { name in
                var run = unsafe tally_run_info(
                    struct_size: UInt32(MemoryLayout<tally_run_info>.size),
                    semantics: 1,
                    player_run_id: name,
                    instance: name,
                    epoch_us: 0,
                    stored: nil
                )
                return unsafe withUnsafePointer(to: &run) { run in
                    let made = unsafe PluginInstance.make(
                        self,
                        instance: description.shortName,
                        host: host,
                        run: description.kind == .tracker ? run : nil,
                        errorText: { "" }
                    )
                    guard let instance = try? made.get() else { return [] }
                    defer { try? instance.destroy() }
                    return instance.commands
                }
            }
        }
    }

    /// A host that offers nothing and hears nothing.
    private static var bareHost: tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: nil,
            log: { _, _, _ in },
            set_error: { _, _, _ in },
            get_extension: { _, _ in nil }
        )
    }
}
