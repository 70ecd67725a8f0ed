package import PluginKit

/// How the parts of a configuration, and the arguments of commands, are read.
extension TrackerConfiguration {
    /// The text of a key, which must not be empty; nil without the key.
    package static func nonEmpty(_ key: String, in json: JSONValue) throws(ConfigurationError) -> String? {
        guard let value = json[key], !value.isNull else { return nil }
        let text = try json.text(key)
        guard !text.isEmpty else {
            throw .unusable(key: key, value: "\"\"", expected: "a text that is not empty, or leave it out")
        }
        return text
    }

    /// The filter of a regular expression for actions; all actions without the key.
    package static func filter(_ key: String, in json: JSONValue) throws(ConfigurationError) -> ActionFilter {
        guard let text = try nonEmpty(key, in: json) else { return .every }
        guard let filter = ActionFilter(pattern: text) else { throw unreadable(key, text) }
        return filter
    }

    /// The name of an attribute that may be set.
    package static func attributeName(_ name: String, _ key: String) throws(ConfigurationError) -> String {
        guard (1...Limits.nameBytes).contains(name.utf8.count) else {
            throw .unusable(
                key: key,
                value: "\(name.utf8.count) bytes of name",
                expected: "a name of 1 to \(Limits.nameBytes) bytes"
            )
        }
        guard !ownNames.contains(name), !TimeSinceTable.standard.has(name) else {
            throw .unusable(
                key: key,
                value: "\"\(name)\"",
                expected: "it another name: this one is always set by the tracker"
            )
        }
        return name
    }

    /// A value that an event can have.
    package static func attributeValue(_ json: JSONValue, _ key: String) throws(ConfigurationError) -> PlainValue {
        switch json {
        case .string(let text): return .string(text)
        case .int(let number): return .int(number)
        case .double(let number): return .double(number)
        case .bool(let isTrue): return .int(isTrue ? 1 : 0)
        default: throw .wrongKind(key: key, found: json.kind, expected: "a string, a number, true or false")
        }
    }

    /// The members of an object as attributes, in order.
    package static func values(
        _ key: String,
        in json: JSONValue,
        at path: String
    ) throws(ConfigurationError) -> [(name: String, value: PlainValue)] {
        guard let value = json[key], !value.isNull else { return [] }
        guard let members = value.object else {
            throw .wrongKind(key: path, found: value.kind, expected: "an object")
        }
        var values: [(name: String, value: PlainValue)] = []
        for member in members {
            let place = "\(path).\(member.key)"
            values.append((try attributeName(member.key, place), try attributeValue(member.value, place)))
        }
        return values
    }

    /// The elements of an array of objects, each read by `read`.
    static func list<Element>(
        _ key: String,
        in json: JSONValue,
        most: Int,
        _ read: (JSONValue, String) throws(ConfigurationError) -> Element
    ) throws(ConfigurationError) -> [Element] {
        guard let value = json[key], !value.isNull else { return [] }
        guard let elements = value.array else { throw .wrongKind(key: key, found: value.kind, expected: "an array") }
        guard elements.count <= most else {
            throw .unusable(key: key, value: "\(elements.count) elements", expected: "at most \(most)")
        }
        var list: [Element] = []
        for (index, element) in elements.enumerated() {
            guard element.object != nil else {
                throw .wrongKind(key: "\(key).\(index)", found: element.kind, expected: "an object")
            }
            list.append(try read(element, "\(key).\(index)"))
        }
        return list
    }

    static func attributes(_ json: JSONValue) throws(ConfigurationError) -> [AttributeSetting] {
        if json.isNull { return [] }
        guard let members = json.object else {
            throw .wrongKind(key: "attributes", found: json.kind, expected: "an object")
        }
        guard members.count <= 64 else {
            throw .unusable(key: "attributes", value: "\(members.count) members", expected: "at most 64")
        }
        var attributes: [AttributeSetting] = []
        for member in members {
            let key = "attributes.\(member.key)"
            attributes.append(
                AttributeSetting(try attributeName(member.key, key), try attributeValue(member.value, key))
            )
        }
        return attributes
    }

    static func attributeForActions(_ json: JSONValue, _ path: String) throws(ConfigurationError) -> AttributeSetting {
        AttributeSetting(
            try attributeName(json.text("name"), path + ".name"),
            try attributeValue(json["value"] ?? .null, path + ".value"),
            filter: try filter("actions", in: json)
        )
    }

    static func timeSinceSetting(_ json: JSONValue, _ path: String) throws(ConfigurationError) -> TimeSinceSetting {
        let action = try json.text("action")
        guard (1...Limits.nameBytes).contains(action.utf8.count) else {
            throw .unusable(key: path + ".action", value: "\"\(action)\"", expected: "a name of 1 to 255 bytes")
        }
        return TimeSinceSetting(
            action: action,
            attribute: try attributeName(json.text("attribute"), path + ".attribute"),
            filter: try filter("actions", in: json)
        )
    }

    static func obfuscationRule(_ json: JSONValue, _ path: String) throws(ConfigurationError) -> ObfuscationRule {
        let text = try json.text("pattern")
        guard let pattern = TextPattern(text) else { throw unreadable(path + ".pattern", text) }
        return ObfuscationRule(pattern, replacement: try json.text("replacement", default: "***"))
    }

    static func unreadable(_ key: String, _ text: String) -> ConfigurationError {
        .unusable(key: key, value: "\"\(text)\"", expected: "a regular expression of 1 to 1024 bytes")
    }

    private static let ownNames = ["eventType", "actionName", "timestamp"]
}
