internal import PluginKit

/// How the rules for events are read.
extension TrackerConfiguration {
    static func rule(_ json: JSONValue, _ path: String) throws(ConfigurationError) -> EventRule {
        var rule = EventRule()
        rule.actions = try filter("actions", in: json)
        rule.conditions = try conditions(json["where"] ?? .null, path + ".where")
        rule.drops = try json.flag("drop", default: false)
        rule.delivers = try json.flag("deliver", default: true)
        rule.set = try values("set", in: json, at: path + ".set")
        rule.remove = try names(json["remove"] ?? .null, path + ".remove")
        for (name, value) in try values("rename", in: json, at: path + ".rename") {
            guard case .string(let newName) = value else {
                throw .wrongKind(key: "\(path).rename.\(name)", found: "another value", expected: "a string")
            }
            rule.rename.append((name, try attributeName(newName, "\(path).rename.\(name)")))
        }
        rule.eventType = try eventType(json, path + ".eventType")
        return rule
    }

    private static func conditions(
        _ json: JSONValue,
        _ path: String
    ) throws(ConfigurationError) -> [(name: String, condition: EventRule.Condition)] {
        if json.isNull { return [] }
        guard let members = json.object else {
            throw .wrongKind(key: path, found: json.kind, expected: "an object")
        }
        var conditions: [(name: String, condition: EventRule.Condition)] = []
        for member in members {
            conditions.append((member.key, try condition(member.value, "\(path).\(member.key)")))
        }
        return conditions
    }

    private static func condition(_ json: JSONValue, _ key: String) throws(ConfigurationError) -> EventRule.Condition {
        guard json.object != nil else { return .equals(try attributeValue(json, key)) }
        if let text = json["matches"]?.string {
            guard let pattern = TextPattern(text) else { throw unreadable(key + ".matches", text) }
            return .matches(pattern)
        }
        guard let exists = json["exists"]?.bool else {
            throw .unusable(
                key: key,
                value: json.canonicalText,
                expected: "a value, or {matches: ...} or {exists: ...}"
            )
        }
        return .exists(exists)
    }

    private static func names(_ json: JSONValue, _ path: String) throws(ConfigurationError) -> [String] {
        if json.isNull { return [] }
        guard let elements = json.array else {
            throw .wrongKind(key: path, found: json.kind, expected: "an array")
        }
        var names: [String] = []
        for element in elements {
            guard let name = element.string else {
                throw .wrongKind(key: path, found: element.kind, expected: "strings")
            }
            // A time-since attribute may be taken away, though not be set.
            names.append(TimeSinceTable.standard.has(name) ? name : try attributeName(name, path))
        }
        return names
    }

    /// The vendor's rule for names of event types: letters, digits, `_`, `:` and the space, at most 255.
    private static func eventType(_ json: JSONValue, _ key: String) throws(ConfigurationError) -> String? {
        guard let type = try nonEmpty("eventType", in: json) else { return nil }
        let isLegal = type.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: " "): true
            default: false
            }
        }
        guard isLegal, type.utf8.count <= 255 else {
            throw .unusable(
                key: key,
                value: "\"\(type)\"",
                expected: "at most 255 letters, digits, spaces, colons and underscores"
            )
        }
        return type
    }
}
