internal import TextEncoding

/// Keeps what settings hide out of explanations and messages.
struct SecretSettings: Sendable {
    /// What stands for a secret.
    static let mark = "***"

    private let settings: [SettingDeclaration]

    /// Picks those that hide something.
    init(among settings: [SettingDeclaration]) {
        self.settings = settings.filter { $0.hidden != nil }
    }

    /// The value at a key, or at a part of it, as explanations show it.
    func shown(_ value: JSONValue, at key: String) -> JSONValue {
        guard let hidden = setting(at: key)?.hidden else { return value }
        return Self.shown(value, hidden)
    }

    /// A `KEY=VALUE` of the command line as messages show it, alone or at the end of an option.
    func shown(override text: String) -> String {
        guard let sign = text.firstIndex(of: "=") else { return text }
        let key = text[..<sign].split(separator: " ").last ?? ""
        return setting(at: String(key)) == nil ? text : text[...sign] + Self.mark
    }

    /// What is wrong with a value, without the value.
    func shown(_ violation: SchemaViolation) -> SchemaViolation {
        guard setting(at: violation.path) != nil else { return violation }
        return violation.withoutValue
    }

    private func setting(at path: String) -> SettingDeclaration? {
        settings.first { $0.key.map { path == $0 || path.hasPrefix($0 + ".") } ?? false }
    }

    private static func shown(_ value: JSONValue, _ hidden: (String) -> String) -> JSONValue {
        switch value {
        case .string(let text): .string(hidden(text))
        case .array(let elements): .array(elements.map { shown($0, hidden) })
        default: value
        }
    }
}
