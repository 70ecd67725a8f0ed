/// A JSON value in memory; the members of an object keep their order.
///
/// Meant for configuration and tests. What is hot writes with ``JSONWriter`` and builds no values.
public enum JSONValue: Sendable, Equatable {
    /// The value null.
    case null
    /// True or false.
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The text of a string, nil for any other value.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, when it is integral and fits; nil for any other value.
    public var int: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): JSONValue.exactInt(number)
        default: nil
        }
    }

    // The standard library's exact conversion calls libm, which would then have to be linked into every plugin.
    private static func exactInt(_ number: Double) -> Int64? {
        guard number >= -0x1p63, number < 0x1p63 else { return nil }
        let whole = Int64(number)
        return Double(whole) == number ? whole : nil
    }

    /// The number, nil for any other value.
    public var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The truth value, nil for any other value.
    public var bool: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The object, nil for any other value.
    public var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of an array, nil for any other value.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// Whether this is null.
    public var isNull: Bool { self == .null }

    /// What kind of value this is, in words that a message can use.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int: "an integer"
        case .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The member of an object with the given key; nil when there is none or when this is no object.
    public subscript(key: String) -> JSONValue? {
        object?[key]
    }

    /// The element of an array; nil when there is none or when this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The value at a dotted path such as `plugins.0.config.url`; the empty path is the value itself.
    ///
    /// A step is an object's key or an array's index. A key that has a dot in it is found as well: among the keys
    /// that the path goes on with, the longest wins.
    public func value(at path: String) -> JSONValue? {
        value(at: Substring(path))
    }

    private func value(at path: Substring) -> JSONValue? {
        if path.isEmpty { return self }
        switch self {
        case .array(let elements):
            let step = path.prefix { $0 != "." }
            guard let index = Int(step), elements.indices.contains(index) else { return nil }
            return elements[index].value(at: path.dropFirst(step.count + 1))
        case .object(let members):
            guard let key = members.longestKey(startingPath: path) else { return nil }
            return members[key]?.value(at: path.dropFirst(key.count + 1))
        default:
            return nil
        }
    }
}
