internal import TextEncoding

/// The value of an attribute as bytes: what rules compare, and what a hash is made of.
package enum AttributeText {
    /// Lends the bytes: a text's own, other values as JSON has them.
    package static func with<Result>(
        _ attribute: AttributeView,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch attribute.value {
        case .string(let text), .bytes(let text): return unsafe body(text.bytes)
        default:
            let buffer = ByteBuffer(capacity: 64)
            append(attribute.value, to: buffer)
            return unsafe buffer.withBytes { unsafe body(UnsafeRawBufferPointer($0)) }
        }
    }

    private static func append(_ value: ValueView, to buffer: ByteBuffer) {
        switch value {
        case .null, .unknown: buffer.append("null")
        case .bool(let truth): buffer.append(truth ? "true" : "false")
        case .int(let number): buffer.append(decimal: number)
        case .double(let number):
            // A rule compares numbers, and a hash is made of one: 2.0 is 2.
            if case .int(let whole) = CanonicalNumber(number) {
                buffer.append(decimal: whole)
            } else {
                buffer.append("\(number)")
            }
        case .string(let text), .bytes(let text): unsafe buffer.append(text.bytes)
        case .list(let elements):
            for element in elements {
                append(element.value, to: buffer)
                buffer.append(UInt8(ascii: ","))
            }
        }
    }
}
