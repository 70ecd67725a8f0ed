extension JSONValue {
    /// Writes the value; numbers that JSON does not have are written as null.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.bool(flag)
        case .int(let number): writer.int(number)
        case .double(let number): writer.double(number)
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.beginArray()
            for element in elements {
                element.write(to: &writer)
            }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    /// The value as JSON without white space, members in their order: equal values with equal order, equal text.
    public var canonicalText: String {
        let buffer = ByteBuffer()
        var writer = JSONWriter(buffer)
        write(to: &writer)
        return buffer.string
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes null.
    public init(nilLiteral: ()) { self = .null }

    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .int(value) }

    /// Makes a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var members = JSONObject()
        for (key, value) in elements {
            members[key] = value
        }
        self = .object(members)
    }
}
