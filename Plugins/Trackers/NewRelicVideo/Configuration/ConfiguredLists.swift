package import PluginKit

extension AttributeSetting: DeclaredConfiguration {
    /// What can be configured of an attribute for the events of some actions.
    package static let keys = [
        Key("name", \.name, .attributeName, required: true),
        Key("value", \.value, .attributeValue, required: true),
        Key("actions", \.filter, .filter),
    ]
}

extension TimeSinceSetting: DeclaredConfiguration {
    /// What can be configured.
    package static let keys = [
        Key("action", \.action, .actionName, required: true),
        Key("attribute", \.attribute, .attributeName, required: true),
        Key("actions", \.filter, .filter),
    ]
}

extension EventRule: DeclaredConfiguration {
    /// What can be configured; a time-since attribute may be taken away, though not be set.
    package static let keys = [
        Key("actions", \.actions, .filter, "The actions that it is about."),
        Key(
            "where",
            \.conditions,
            conditionsForm,
            "Conditions by attribute, all of which have to hold: a value, `{matches: \"...\"}` for a text that the whole "
                + "expression matches, `{exists: true}`."
        ),
        Key("drop", \.drops, .flag, "The event is not sent."),
        Key("deliver", \.delivers, .flag, "With false it is a record alone."),
        Key("eventType", \.eventType, .eventType, "Its other event type: letters, digits, spaces, `:` and `_`."),
        Key("set", \.set, .values, "Attributes that are set, last."),
        Key("remove", \.remove, removedForm, "Attributes that are removed, after `rename`."),
        Key("rename", \.rename, renamedForm, "Attributes with their new names; first."),
    ]

    private static let conditionsForm = ConfigurationForm<[(name: String, condition: Condition)]>(
        ["type": "object"]
    ) { json, key throws(ConfigurationError) in
        var conditions: [(name: String, condition: Condition)] = []
        for member in try ConfigurationForm<JSONObject>.object().read(json, key) {
            conditions.append((member.key, try condition(member.value, "\(key).\(member.key)")))
        }
        return conditions
    }

    private static func condition(_ json: JSONValue, _ key: String) throws(ConfigurationError) -> Condition {
        guard json.object != nil else {
            return .equals(try ConfigurationForm<PlainValue>.attributeValue.read(json, key))
        }
        if let text = json["matches"], text.string != nil {
            return .matches(try ConfigurationForm<TextPattern>.pattern.read(text, key + ".matches"))
        }
        guard let exists = json["exists"]?.bool else {
            let expected = "a value, or {matches: ...} or {exists: ...}"
            throw .unusable(key: key, value: json.canonicalText, expected: expected)
        }
        return .exists(exists)
    }

    private static let removedForm = ConfigurationForm<[String]>(
        ["type": "array", "items": ["type": "string"]]
    ) { json, key throws(ConfigurationError) in
        guard let elements = json.array else { throw .wrongKind(key: key, found: json.kind, expected: "an array") }
        var names: [String] = []
        for element in elements {
            guard let name = element.string else {
                throw .wrongKind(key: key, found: element.kind, expected: "strings")
            }
            if !TimeSinceTable.standard.has(name) { _ = try ConfigurationForm.attributeName.read(element, key) }
            names.append(name)
        }
        return names
    }

    private static let renamedForm = ConfigurationForm<[(name: String, value: String)]>.members(of: .text)
        .checked { members, key throws(ConfigurationError) in
            for (name, newName) in members {
                for name in [name, newName] {
                    _ = try ConfigurationForm.attributeName.read(.string(name), "\(key).\(name)")
                }
            }
        }
        .map({ $0.map { (name: $0.name, newName: $0.value) } }, back: { _ in nil })
}

extension ObfuscationRule: DeclaredConfiguration {
    /// What can be configured.
    package static let keys = [
        Key("pattern", \.pattern, .pattern, required: true),
        Key("replacement", \.replacement, .text),
    ]
}
