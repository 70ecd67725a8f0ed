internal import PluginKit

/// Texts of plugins and players as a terminal may show them: no control character ever gets through.
enum ConsoleText {
    private static let longest = 60

    /// The text without control characters, cut when it is long.
    static func printable(_ text: String) -> String {
        var result = ""
        var count = 0
        for character in text {
            if count == longest { return result + "..." }
            count += 1
            for scalar in character.unicodeScalars {
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// A value in short form; texts with spaces in them are quoted.
    static func value(_ value: ValueView) -> String {
        switch value {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): quoted(printable(text.string))
        case .bytes(let bytes): "(\(bytes.count) bytes)"
        case .list(let list): "[" + list.map { self.value($0.value) }.joined(separator: ",") + "]"
        case .unknown: "?"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.isEmpty || text.contains(" ") ? "\"\(text)\"" : text
    }
}
