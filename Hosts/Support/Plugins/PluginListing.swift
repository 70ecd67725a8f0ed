internal import PluginLoading
internal import TextEncoding

/// The plugins that were found, for people and for programs.
package struct PluginListing: Sendable {
    private let plugins: [PluginDescription]
    private let shadowed: [PluginCatalog.Shadowed]
    private let rejections: [PluginCatalog.Rejection]
    private let directories: [PluginDirectory]

    init(_ catalog: PluginCatalog, _ directories: [PluginDirectory]) {
        plugins = catalog.plugins
        shadowed = catalog.shadowed
        rejections = catalog.rejections
        self.directories = directories
    }

    /// One line for each plugin and each file, aligned.
    package func text(on terminal: Terminal) -> String {
        var lines: [String] = []
        if plugins.isEmpty {
            lines.append("No plugins were found.")
        } else {
            let rows =
                [["NAME", "KIND", "VERSION", "ID", "FILE"]]
                + plugins.map { [$0.shortName, $0.kind.rawValue, $0.version, $0.id, $0.path] }
            lines += TextTable.aligned(rows)
            lines[0] = terminal.styled(lines[0], .bold)
        }
        if !shadowed.isEmpty {
            lines += ["", terminal.styled("Not used, because an earlier folder has the same plugin:", .bold)]
            lines += shadowed.map { PrintableText.escaped("  \($0.path): \($0.id) is taken from \($0.first)") }
        }
        if !rejections.isEmpty {
            lines += ["", terminal.styled("Cannot be used:", .bold)]
            lines += rejections.map { PrintableText.escaped("  \($0.error)") }
        }
        lines += ["", terminal.styled("Searched, in this order:", .bold)]
        lines += directories.map { PrintableText.escaped("  \($0.path) (\($0.origin.rawValue))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same as one line of JSON.
    package var json: String {
        let value: JSONValue = [
            "plugins": .array(plugins.map(PluginListing.json)),
            "shadowed": .array(
                shadowed.map { ["id": .string($0.id), "path": .string($0.path), "used": .string($0.first)] }
            ),
            "rejected": .array(rejections.map { ["path": .string($0.path), "problem": .string("\($0.error)")] }),
            "directories": .array(
                directories.map { ["path": .string($0.path), "origin": .string($0.origin.rawValue)] }
            ),
        ]
        return PrintableText.json(value) + "\n"
    }

    private static func json(_ plugin: PluginDescription) -> JSONValue {
        [
            "name": .string(plugin.shortName), "id": .string(plugin.id), "title": .string(plugin.name),
            "vendor": .string(plugin.vendor), "version": .string(plugin.version),
            "full_version": .string(plugin.fullVersion.text),
            "kind": .string(plugin.kind.rawValue), "path": .string(plugin.path), "sha256": .string(plugin.sha256),
        ]
    }
}
