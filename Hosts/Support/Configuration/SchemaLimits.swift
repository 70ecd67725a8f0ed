internal import TextEncoding

/// What a schema says of how large, how long and of which form a value is, whatever its parts are.
struct SchemaLimits {
    /// Keywords that bound something of a value.
    private enum Bound: String {
        case minimum, maximum
        case minLength, maxLength
        case minItems, maxItems
        case minProperties, maxProperties
    }

    let schema: JSONValue

    /// The first limit that the value breaks: what was found and what is expected.
    func broken(by value: JSONValue, described: String) -> (found: String, expected: String)? {
        switch value {
        case .string(let text):
            // JSON Schema counts code points.
            let length = text.unicodeScalars.count
            return broken(Double(length), .minLength, .maxLength, "a string of \(counted(length, "character"))")
                ?? misformed(text, described: described)
        case .array(let elements):
            let found = "an array of \(counted(elements.count, "element"))"
            return broken(Double(elements.count), .minItems, .maxItems, found)
        case .object(let members):
            let found = "an object of \(counted(members.count, "member"))"
            return broken(Double(members.count), .minProperties, .maxProperties, found)
        default: return value.double.flatMap { broken($0, .minimum, .maximum, described) }
        }
    }

    /// The texts of the schema that are no regular expression though they should be.
    static func unreadablePatterns(in schema: JSONValue) -> [String] {
        var parts = (schema["properties"]?.object ?? [:]).map(\.value)
        parts += ["items", "additionalProperties"].compactMap { schema[$0] }.filter { $0.object != nil }
        let own = schema["pattern"]?.string.map { [$0] } ?? []
        return own.filter { (try? Regex($0)) == nil } + parts.flatMap(unreadablePatterns)
    }

    private func broken(
        _ size: Double,
        _ least: Bound,
        _ most: Bound,
        _ found: String
    ) -> (found: String, expected: String)? {
        if let limit = schema[least.rawValue], let least = limit.double, size < least {
            return (found, "\(limit.canonicalText) or more")
        }
        if let limit = schema[most.rawValue], let most = limit.double, size > most {
            return (found, "\(limit.canonicalText) or less")
        }
        return nil
    }

    private func misformed(_ text: String, described: String) -> (found: String, expected: String)? {
        if let pattern = schema["pattern"]?.string, let expression = try? Regex(pattern),
            !text.contains(expression.matchingSemantics(.unicodeScalar))
        {
            return (described, "a string that matches \(pattern)")
        }
        if schema["format"] == "regex", (try? Regex(text)) == nil { return (described, "a regular expression") }
        return nil
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
