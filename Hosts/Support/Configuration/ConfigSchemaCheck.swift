package import TextEncoding

/// Checks a value against the part of JSON Schema that configurations use.
///
/// Known are `type`, `properties`, `required`, `additionalProperties` (false or a schema), `items`, `enum`, `default`,
/// least and most of numbers, lengths, elements and members, `pattern`, and `format` with `regex`. Every other keyword
/// is taken for a comment, as JSON Schema asks of a reader.
package struct ConfigSchemaCheck: Sendable {
    /// Why a text is no schema.
    package enum SchemaError: Error, Equatable, Sendable {
        /// The text is no JSON.
        case notJSON(JSONParseError)
        /// The schema is no object.
        case notAnObject(found: String)
        /// A pattern in it is no regular expression.
        case badPattern(String)

        /// What is wrong, in one line.
        package var message: String {
            switch self {
            case .notJSON(let error): "the configuration schema is not JSON: \(error)"
            case .notAnObject(let found): "the configuration schema must be a JSON object, found \(found)"
            case .badPattern(let pattern):
                "the configuration schema has a pattern that is no regular expression: \(pattern)"
            }
        }
    }

    private let schema: JSONValue

    /// Takes a schema.
    package init(_ schema: JSONObject) {
        self.schema = .object(schema)
    }

    /// Reads a schema.
    package init(text: String) throws(SchemaError) {
        do throws(JSONParseError) {
            schema = try JSONParser(.json).parse(text)
        } catch {
            throw .notJSON(error)
        }
        if schema.object == nil { throw .notAnObject(found: schema.kind) }
        if let pattern = SchemaLimits.unreadablePatterns(in: schema).first { throw .badPattern(pattern) }
    }

    /// Everything in the value that the schema does not allow, in the order of the value.
    package func violations(in value: JSONValue, path: String = "") -> [SchemaViolation] {
        violations(in: value, schema: schema, path: path)
    }

    /// The value with the schema's defaults where keys are missing.
    package func fillingDefaults(in value: JSONValue) -> JSONValue {
        filled(value, schema: schema)
    }

    private func violations(in value: JSONValue, schema: JSONValue, path: String) -> [SchemaViolation] {
        if let problem = problem(with: value, schema: schema) { return [SchemaViolation(path: path, problem: problem)] }
        switch value {
        case .object(let members): return violations(in: members, schema: schema, path: path)
        case .array(let elements):
            guard let itemSchema = schema["items"] else { return [] }
            return elements.enumerated().flatMap { index, element in
                violations(in: element, schema: itemSchema, path: keyPath(path, String(index)))
            }
        default: return []
        }
    }

    private func violations(in members: JSONObject, schema: JSONValue, path: String) -> [SchemaViolation] {
        let properties = schema["properties"]?.object ?? JSONObject()
        let additional = schema["additionalProperties"]
        var found: [SchemaViolation] = []
        for member in members {
            let memberPath = keyPath(path, member.key)
            if let memberSchema = properties[member.key] {
                found += violations(in: member.value, schema: memberSchema, path: memberPath)
            } else if additional == false {
                let nearest = NearestName.among(properties.keys, to: member.key)
                let problem = SchemaViolation.Problem.unknownKey(member.key, nearest: nearest, known: properties.keys)
                found.append(SchemaViolation(path: memberPath, problem: problem))
            } else if let additional, additional.object != nil {
                found += violations(in: member.value, schema: additional, path: memberPath)
            }
        }
        for key in (schema["required"]?.array ?? []).compactMap(\.string) where members[key] == nil {
            found.append(SchemaViolation(path: path, problem: .missingKey(key)))
        }
        return found
    }

    /// What is wrong with the value itself, whatever is in it.
    private func problem(with value: JSONValue, schema: JSONValue) -> SchemaViolation.Problem? {
        let types = schema["type"].map { $0.array ?? [$0] } ?? []
        let names = types.compactMap(\.string)
        if !names.isEmpty, !names.contains(where: { isType($0, value) }) {
            let expected = names.map { ConfigSchemaCheck.words[$0] ?? $0 }.joined(separator: " or ")
            return .wrongType(found: described(value), expected: expected)
        }
        if let allowed = schema["enum"]?.array, !allowed.contains(where: { isSame($0, value) }) {
            return .notAllowed(found: described(value), allowed: allowed.map(\.canonicalText))
        }
        return SchemaLimits(schema: schema).broken(by: value, described: described(value)).map {
            .outsideLimits(found: $0.found, expected: $0.expected)
        }
    }

    private static let words = [
        "object": "an object", "array": "an array", "string": "a string", "number": "a number",
        "integer": "an integer", "boolean": "true or false", "null": "null",
    ]

    private func isType(_ name: String, _ value: JSONValue) -> Bool {
        switch name {
        case "object": value.object != nil
        case "array": value.array != nil
        case "string": value.string != nil
        case "number": value.double != nil
        case "integer": value.int != nil
        case "boolean": value.bool != nil
        case "null": value.isNull
        default: false
        }
    }

    private func isSame(_ value: JSONValue, _ other: JSONValue) -> Bool {
        if let number = value.double, let otherNumber = other.double { return number == otherNumber }
        return value == other
    }

    private func described(_ value: JSONValue) -> String {
        switch value {
        case .null, .array, .object: return value.kind
        default:
            let text = value.canonicalText
            return value.kind + " " + (text.count > 60 ? text.prefix(60) + "..." : text)
        }
    }

    private func filled(_ value: JSONValue, schema: JSONValue) -> JSONValue {
        switch value {
        case .object(var members):
            for property in schema["properties"]?.object ?? JSONObject() {
                if let present = members[property.key] {
                    members[property.key] = filled(present, schema: property.value)
                } else if let missing = property.value["default"] {
                    members[property.key] = missing
                }
            }
            return .object(members)
        case .array(let elements):
            guard let itemSchema = schema["items"] else { return value }
            return .array(elements.map { filled($0, schema: itemSchema) })
        default: return value
        }
    }
}

/// The path of a part within the path of what it is part of.
func keyPath(_ path: String, _ step: String) -> String {
    path.isEmpty ? step : path + "." + step
}
