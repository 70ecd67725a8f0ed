internal import Tally
internal import TextEncoding

/// What a reply says, for people.
package enum ControlReplyText {
    /// The text with its end; a failure's is its message.
    package static func text(_ reply: ControlReply, on terminal: Terminal) -> String {
        switch reply {
        case .failure(let problem): return PrintableText.escaped(problem.description) + "\n"
        case .success(let data):
            if let note = data["note"]?.string { return PrintableText.escaped(note) + "\n" }
            if let plugin = data["plugin"] { return PluginStatusText.details(plugin, on: terminal) }
            if let commands = data["commands"]?.array {
                let rows = commands.map { [$0["usage"]?.string ?? "", $0["summary"]?.string ?? ""] }
                return TextTable.aligned(rows).joined(separator: "\n") + "\n"
            }
            if let plugins = data["plugins"]?.array, plugins.first?["file"] != nil || plugins.isEmpty {
                return PluginStatusText.table(plugins, on: terminal)
            }
            if let runs = data["runs"]?.array, let open = data["open"]?.int {
                return OpenRunsText.table(runs, open: open, on: terminal)
            }
            if let answer = data["answer"] { return text(ofAnswer: answer) }
            return TextTable.aligned(rows(data, "")).joined(separator: "\n") + "\n"
        }
    }

    /// What a plugin answered: a text as it is, objects as a table, one object member by member.
    private static func text(ofAnswer answer: JSONValue) -> String {
        switch answer {
        case .array(let elements) where elements.isEmpty: return "none\n"
        case .array(let elements) where elements.allSatisfy({ $0.object != nil }):
            return TextTable.aligned(table(elements)).joined(separator: "\n") + "\n"
        case .object(let members) where !members.isEmpty:
            return TextTable.aligned(rows(answer, "")).joined(separator: "\n") + "\n"
        default: return PrintableText.escaped(lines: answer.string ?? answer.canonicalText) + "\n"
        }
    }

    /// The names of all members as they come first, and a row for each object.
    private static func table(_ objects: [JSONValue]) -> [[String]] {
        var names: [String] = []
        for member in objects.flatMap({ $0.object ?? [:] }) where !names.contains(member.key) {
            names.append(member.key)
        }
        return [names]
            + objects.map { object in
                names.map { name in object[name].map { $0.string ?? $0.canonicalText } ?? "" }
            }
    }

    /// The members of an object, those of objects in it by their paths.
    private static func rows(_ value: JSONValue, _ path: String) -> [[String]] {
        switch value {
        case .object(let members): return members.flatMap { rows($0.value, keyPath(path, $0.key)) }
        case .array(let elements) where elements.contains { $0.object != nil }:
            return elements.enumerated().flatMap { index, element in
                rows(element, path + "." + (element["name"]?.string ?? String(index)))
            }
        default: return [[path, value.string ?? value.canonicalText]]
        }
    }
}
