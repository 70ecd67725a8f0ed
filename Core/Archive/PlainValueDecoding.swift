internal import EventModel
internal import TextEncoding

/// Reads lists, bytes and the numbers that JSON does not have: `[...]`, `{"$b":"..."}`, `{"$f":"nan"}`.
enum PlainValueDecoding {
    /// Takes a value; nil, or the cursor's problem, when it cannot be one.
    static func value(_ cursor: inout LineCursor, _ scratch: ByteBuffer, depth: Int) -> PlainValue? {
        switch cursor.peek() {
        case UInt8(ascii: "\""): return cursor.string(scratch).map { .string($0.string) }
        case UInt8(ascii: "t"): return cursor.literal("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return cursor.literal("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return cursor.literal("null") ? .null : nil
        case UInt8(ascii: "["): return list(&cursor, scratch, depth: depth)
        case UInt8(ascii: "{"): return tagged(&cursor, scratch)
        default:
            switch cursor.number() {
            case .int(let number): return .int(number)
            case .double(let number): return .double(number)
            case nil: return nil
            }
        }
    }

    private static func list(_ cursor: inout LineCursor, _ scratch: ByteBuffer, depth: Int) -> PlainValue? {
        guard depth <= Limits.listDepth else { return nil }
        cursor.expect(UInt8(ascii: "["))
        var elements: [PlainValue] = []
        while cursor.element(first: elements.isEmpty) {
            guard let element = value(&cursor, scratch, depth: depth + 1) else { return nil }
            elements.append(element)
        }
        return .list(elements)
    }

    private static func tagged(_ cursor: inout LineCursor, _ scratch: ByteBuffer) -> PlainValue? {
        cursor.expect(UInt8(ascii: "{"))
        guard let tag = cursor.member(first: true, scratch: scratch)?.string,
            let text = cursor.string(scratch)?.string
        else {
            cursor.fail("an object is no attribute value")
            return nil
        }
        cursor.expect(UInt8(ascii: "}"))
        switch (tag, text) {
        case ("$f", "nan"): return .double(.nan)
        case ("$f", "inf"): return .double(.infinity)
        case ("$f", "-inf"): return .double(-.infinity)
        case ("$b", _):
            guard let bytes = Base64.decode(text) else {
                cursor.fail("malformed base64")
                return nil
            }
            return .bytes(bytes)
        default:
            cursor.fail("an object is no attribute value")
            return nil
        }
    }
}
