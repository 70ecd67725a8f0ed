internal import TextEncoding

/// Looks whether the keywords of a schema have the forms that JSON Schema gives them.
enum SchemaForm {
    private static let types = ["object", "array", "string", "number", "integer", "boolean", "null"]
    private static let counts = [
        "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
    ]

    /// The first keyword of a wrong form, in words with its place; nil when all are right.
    static func problem(in schema: JSONObject, at place: String) -> String? {
        for member in schema {
            if let expected = expected(of: member.key, member.value) {
                return "\(place).\(member.key) is not \(expected)"
            }
        }
        for property in schema["properties"]?.object ?? [:] {
            guard let inner = property.value.object else { return "\(place).properties.\(property.key) is no object" }
            if let problem = problem(in: inner, at: "\(place).properties.\(property.key)") { return problem }
        }
        for key in ["items", "additionalProperties"] {
            if let inner = schema[key]?.object, let problem = problem(in: inner, at: "\(place).\(key)") {
                return problem
            }
        }
        return nil
    }

    /// What a keyword's value should be and is not.
    private static func expected(of keyword: String, _ value: JSONValue) -> String? {
        switch keyword {
        case "type":
            let names = value.array ?? [value]
            return names.allSatisfy { types.contains($0.string ?? "") } && !names.isEmpty
                ? nil : "a type of JSON Schema"
        case "properties": return value.object == nil ? "an object" : nil
        case "required":
            return value.array?.allSatisfy { $0.string != nil } == true ? nil : "a list of names"
        case "enum": return value.array?.isEmpty == false ? nil : "a list of values"
        case "items": return value.object == nil ? "a schema" : nil
        case "additionalProperties": return value.object == nil && value.bool == nil ? "a schema, true or false" : nil
        case "minimum", "maximum": return value.double == nil ? "a number" : nil
        case "pattern", "format", "description", "title": return value.string == nil ? "a text" : nil
        case _ where counts.contains(keyword): return (value.int ?? -1) < 0 ? "a number of 0 or more" : nil
        default: return nil
        }
    }
}
