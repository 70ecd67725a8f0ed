internal import TextEncoding

/// A form of messages.
enum Encoding: String, Sendable, CaseIterable {
    case protobuf
    case json

    /// What a request says of its body.
    var contentType: StaticString { self == .json ? "application/json" : "application/x-protobuf" }

    /// A message in this form.
    func bytes(of message: Message) -> [UInt8] {
        switch self {
        case .protobuf:
            var bytes: [UInt8] = []
            Protobuf.append(message, to: &bytes)
            return bytes
        case .json:
            let buffer = ByteBuffer(capacity: 1024)
            var writer = JSONWriter(buffer)
            JSONForm.write(message, to: &writer)
            return buffer.bytes
        }
    }
}

/// The binary form, as https://protobuf.dev/programming-guides/encoding has it.
enum Protobuf {
    private enum WireType: UInt64 {
        case varint = 0
        case fixed = 1
        case length = 2
    }

    static func append(_ message: Message, to bytes: inout [UInt8]) {
        for (field, value) in message.members { append(field, value, to: &bytes) }
    }

    private static func append(_ field: Field, _ value: FieldValue, to bytes: inout [UInt8]) {
        switch value {
        case .text(let text): append(field, Array(text.utf8), to: &bytes)
        case .id(let content), .bytes(let content): append(field, content, to: &bytes)
        case .message(let message): append(field, encoded(message), to: &bytes)
        case .list(let messages): for message in messages { append(field, encoded(message), to: &bytes) }
        case .encoded(let messages): for message in messages { append(field, message, to: &bytes) }
        case .truth(let truth): append(field, varint: truth ? 1 : 0, to: &bytes)
        case .integer(let number): append(field, varint: UInt64(bitPattern: number), to: &bytes)
        case .word(let number): append(field, varint: UInt64(number), to: &bytes)
        case .signed(let number):
            append(field, varint: UInt64(UInt32(bitPattern: number << 1 ^ number >> 31)), to: &bytes)
        case .fixed(let number): append(field, fixed: number, to: &bytes)
        case .signedFixed(let number): append(field, fixed: UInt64(bitPattern: number), to: &bytes)
        case .number(let number): append(field, fixed: number.bitPattern, to: &bytes)
        case .counts(let counts):
            var packed: [UInt8] = []
            for count in counts { append(count, to: &packed) }
            append(field, packed, to: &bytes)
        case .numbers(let numbers):
            var packed: [UInt8] = []
            for number in numbers { appendFixed(number.bitPattern, to: &packed) }
            append(field, packed, to: &bytes)
        }
    }

    private static func encoded(_ message: Message) -> [UInt8] {
        var bytes: [UInt8] = []
        append(message, to: &bytes)
        return bytes
    }

    private static func append(_ field: Field, _ type: WireType, to bytes: inout [UInt8]) {
        append(UInt64(field.number) << 3 | type.rawValue, to: &bytes)
    }

    private static func append(_ field: Field, _ content: [UInt8], to bytes: inout [UInt8]) {
        append(field, .length, to: &bytes)
        append(UInt64(content.count), to: &bytes)
        bytes += content
    }

    private static func append(_ field: Field, varint number: UInt64, to bytes: inout [UInt8]) {
        append(field, .varint, to: &bytes)
        append(number, to: &bytes)
    }

    private static func append(_ field: Field, fixed number: UInt64, to bytes: inout [UInt8]) {
        append(field, .fixed, to: &bytes)
        appendFixed(number, to: &bytes)
    }

    private static func appendFixed(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// The JSON form: Protobuf's own, but for ids, which OTLP has in hexadecimal.
enum JSONForm {
    static func write(_ message: Message, to writer: inout JSONWriter) {
        writer.beginObject()
        for (field, value) in message.members {
            writer.key(field.name)
            write(value, to: &writer)
        }
        writer.endObject()
    }

    private static func write(_ value: FieldValue, to writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.string(text)
        case .truth(let truth): writer.bool(truth)
        case .integer(let number), .signedFixed(let number): writer.string(String(number))
        case .word(let number): writer.int(Int64(number))
        case .signed(let number): writer.int(Int64(number))
        case .fixed(let number): writer.string(String(number))
        case .number(let number): write(number, to: &writer)
        case .id(let bytes): writer.string(Hex.text(bytes))
        case .bytes(let bytes): writer.string(Base64.encode(bytes))
        case .message(let message): write(message, to: &writer)
        case .list(let messages): list(messages, to: &writer) { write($0, to: &$1) }
        case .counts(let counts): list(counts, to: &writer) { $1.string(String($0)) }
        case .numbers(let numbers): list(numbers, to: &writer) { write($0, to: &$1) }
        case .encoded(let messages):
            list(messages, to: &writer) { message, writer in
                unsafe message.withUnsafeBytes { unsafe writer.raw($0) }
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element],
        to writer: inout JSONWriter,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        writer.beginArray()
        for element in elements { write(element, &writer) }
        writer.endArray()
    }

    private static func write(_ number: Double, to writer: inout JSONWriter) {
        if number.isFinite { return writer.double(number) }
        writer.string(number.isNaN ? "NaN" : number > 0 ? "Infinity" as StaticString : "-Infinity")
    }
}
