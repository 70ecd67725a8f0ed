internal import TextEncoding

/// Configurations that are made of a plugin's schema: what it needs, and nothing else.
enum GeneratedConfiguration {
    /// The smallest configuration that fits a schema: the required keys, each with a value of its form.
    static func smallest(_ schema: JSONObject?) -> JSONObject {
        var members = JSONObject()
        let required = (schema?["required"]?.array ?? []).compactMap(\.string)
        for key in required { members[key] = value(schema?["properties"]?[key]?.object ?? [:]) }
        // How long a reporter goes on to send at its end: in a check, nobody answers it.
        if let drain = schema?["properties"]?["drain_ms"] { members["drain_ms"] = drain["minimum"] ?? 1 }
        return members
    }

    /// A configuration that was given, with what the smallest one has besides.
    static func completed(_ given: String?, _ schema: JSONObject?) -> String {
        var members = smallest(schema)
        for member in given.flatMap({ try? JSONParser().parse($0) })?.object ?? [:] {
            members[member.key] = member.value
        }
        return JSONValue.object(members).canonicalText
    }

    /// The values at which a schema begins and ends: each key with its default, and with `limits` its least and most.
    static func boundaries(_ schema: JSONObject?, limits: Bool) -> [(word: String, key: String, value: JSONValue)] {
        (schema?["properties"]?.object ?? [:]).flatMap { property in
            (["default"] + (limits ? ["minimum", "maximum"] : [])).compactMap { word in
                property.value[word].map { (word, property.key, $0) }
            }
        }
    }

    /// The same with each text that is a secret by its name or its mark set to `marker`; nil when there is none.
    static func withSecrets(_ base: JSONObject, _ schema: JSONObject?, marker: String) -> JSONObject? {
        var members = base
        var isFound = false
        for property in schema?["properties"]?.object ?? [:] where isSecret(property.key, property.value) {
            members[property.key] = .string(marker)
            isFound = true
        }
        return isFound ? members : nil
    }

    private static func isSecret(_ key: String, _ form: JSONValue) -> Bool {
        guard form["type"] == "string", form["enum"] == nil, form["pattern"] == nil else { return false }
        let words = ["secret", "password", "passwd", "apikey", "api_key", "token", "license", "credential"]
        return form["writeOnly"] == true || words.contains { key.lowercased().contains($0) }
    }

    private static func value(_ form: JSONObject) -> JSONValue {
        if let value = form["default"] ?? form["examples"]?.array?.first ?? form["enum"]?.array?.first { return value }
        let type = form["type"]?.string ?? form["type"]?.array?.first?.string ?? "string"
        switch type {
        case "object": return .object(smallest(form))
        case "array": return .array([])
        case "boolean": return false
        case "integer", "number": return form["minimum"] ?? 1
        case "null": return .null
        default: return .string(String(repeating: "x", count: max(Int(form["minLength"]?.int ?? 0), 5)))
        }
    }
}
