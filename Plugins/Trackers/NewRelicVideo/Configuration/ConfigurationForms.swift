package import PluginKit

/// How the parts of a configuration, and the arguments of commands, are read.
extension ConfigurationForm where Value == String {
    /// A text that must not be empty.
    static var nonEmpty: Self { nonEmptyText("a text that is not empty, or leave it out") }

    /// The name of an attribute that may be set.
    package static var attributeName: Self {
        text(bytes: 1...Limits.nameBytes).checked { name, key throws(ConfigurationError) in
            guard !["eventType", "actionName", "timestamp"].contains(name), !TimeSinceTable.standard.has(name) else {
                let expected = "another name: this one is always set by the tracker"
                throw .unusable(key: key, value: "\"\(name)\"", expected: expected)
            }
        }
    }

    /// The name of an action.
    static var actionName: Self { text(bytes: 1...Limits.nameBytes) }

    /// The vendor's rule for names of event types: letters, digits, `_`, `:` and the space, at most 255.
    static var eventType: Self {
        nonEmpty.checked(["maxLength": 255, "pattern": "^[A-Za-z0-9_: ]*$"]) { type, key throws(ConfigurationError) in
            let isLegal = type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "_: ".contains($0) }
            guard isLegal, type.utf8.count <= 255 else {
                let expected = "at most 255 letters, digits, spaces, colons and underscores"
                throw .unusable(key: key, value: "\"\(type)\"", expected: expected)
            }
        }
    }
}

extension ConfigurationForm where Value == PlainValue {
    /// A value that an event can have.
    package static var attributeValue: Self {
        ConfigurationForm(["type": ["string", "number", "boolean"]]) { json, key throws(ConfigurationError) in
            switch json {
            case .string(let text): return .string(text)
            case .int(let number): return .int(number)
            case .double(let number): return .double(number)
            case .bool(let isTrue): return .int(isTrue ? 1 : 0)
            default: throw .wrongKind(key: key, found: json.kind, expected: "a string, a number, true or false")
            }
        }
    }
}

extension ConfigurationForm where Value == [(name: String, value: PlainValue)] {
    /// The members of an object as attributes, in order.
    package static var values: Self {
        ConfigurationForm(["type": "object"], expected: "an object") { json, key throws(ConfigurationError) in
            var values: Value = []
            for member in try ConfigurationForm<JSONObject>.object().read(json, key) {
                let path = "\(key).\(member.key)"
                _ = try ConfigurationForm<String>.attributeName.read(.string(member.key), path)
                values.append((member.key, try ConfigurationForm<PlainValue>.attributeValue.read(member.value, path)))
            }
            return values
        }
    }
}

extension ConfigurationForm where Value == [AttributeSetting] {
    /// Attributes for all events, at most 64.
    static var attributes: Self {
        ConfigurationForm(
            [
                "type": "object", "maxProperties": 64,
                "additionalProperties": .object(ConfigurationForm<PlainValue>.attributeValue.schema),
            ],
            expected: "an object"
        ) { json, key throws(ConfigurationError) in
            if let count = json.object?.count, count > 64 {
                throw .unusable(key: key, value: "\(count) members", expected: "at most 64")
            }
            return try ConfigurationForm<[(name: String, value: PlainValue)]>.values.read(json, key)
                .map { AttributeSetting($0.name, $0.value) }
        }
    }
}

extension ConfigurationForm where Value == TextPattern {
    /// A regular expression.
    static var pattern: Self {
        ConfigurationForm(TextPattern.schema, expected: "a string") { json, key throws(ConfigurationError) in
            let text = try ConfigurationForm<String>.text.read(json, key)
            guard let pattern = TextPattern(text) else { throw .unreadable(key, text) }
            return pattern
        }
    }
}

extension ConfigurationForm where Value == ActionFilter {
    /// The filter of a regular expression for actions.
    package static var filter: Self {
        ConfigurationForm(TextPattern.schema, expected: "a string") { json, key throws(ConfigurationError) in
            let text = try ConfigurationForm<String>.nonEmpty.read(json, key)
            guard let filter = ActionFilter(pattern: text) else { throw .unreadable(key, text) }
            return filter
        }
    }
}

extension TextPattern {
    fileprivate static let schema: JSONObject = [
        "type": "string", "minLength": 1, "maxLength": 1024, "format": "regex",
    ]
}

extension ConfigurationError {
    fileprivate static func unreadable(_ key: String, _ text: String) -> ConfigurationError {
        .unusable(key: key, value: "\"\(text)\"", expected: "a regular expression of 1 to 1024 bytes")
    }
}
