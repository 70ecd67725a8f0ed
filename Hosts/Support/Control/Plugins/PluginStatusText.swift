package import TextEncoding

/// Plugins with their states, for people; made from the form that programs get, on either side of a socket.
package enum PluginStatusText {
    /// A table of all plugins, and the reasons below it.
    package static func table(_ plugins: [JSONValue], on terminal: Terminal) -> String {
        guard !plugins.isEmpty else { return "No plugins were found.\n" }
        func text(_ plugin: JSONValue, _ key: String) -> String {
            let text = plugin[key]?.string ?? plugin[key]?.int.map { "\($0)" } ?? ""
            return text.isEmpty ? "-" : text
        }
        let isIsolated = plugins.contains { $0["process"]?.int != nil }
        let columns = ["name", "state", "kind", "version"] + (isIsolated ? ["process"] : []) + ["plugin", "file"]
        let rows = [columns.map { $0.uppercased() }] + plugins.map { plugin in columns.map { text(plugin, $0) } }
        var lines = TextTable.aligned(rows)
        lines[0] = terminal.styled(lines[0], .bold)
        let reasons = plugins.compactMap { plugin -> String? in
            guard let reason = plugin["reason"]?.string, !reason.isEmpty else { return nil }
            return PrintableText.escaped("  \(text(plugin, "name")): \(reason)")
        }
        if !reasons.isEmpty { lines += ["", terminal.styled("Reasons:", .bold)] + reasons }
        return lines.joined(separator: "\n") + "\n"
    }

    /// All that is known of one plugin.
    package static func details(_ plugin: JSONValue, on terminal: Terminal) -> String {
        var rows: [[String]] = []
        for member in plugin.object ?? JSONObject() where member.key != "commands" && member.key != "schema" {
            let text = member.value.string ?? (member.value.isNull ? "" : member.value.canonicalText)
            if !text.isEmpty { rows.append([member.key, text]) }
        }
        var lines = TextTable.aligned(rows)
        let commands = plugin["commands"]?.array ?? []
        if !commands.isEmpty {
            lines += ["", terminal.styled("Commands:", .bold)]
            lines += commands.map { command in
                let kind = command["changes"]?.bool == false ? "query" : "command"
                let text = "  \(command["name"]?.string ?? "") (\(kind)): \(command["summary"]?.string ?? "")"
                return PrintableText.escaped(text)
            }
        }
        if let schema = plugin["schema"], !schema.isNull {
            lines += ["", terminal.styled("Configuration:", .bold), "  " + PrintableText.json(schema)]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
