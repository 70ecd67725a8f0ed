/// The work of a ``JSONParser``: one pass over the bytes.
@safe
internal struct JSONScanner {
    internal let bytes: UnsafeRawBufferPointer
    internal let count: Int
    internal let isJSON5: Bool
    internal let maximumDepth: Int
    internal let records: Bool
    internal var offset = 0
    internal var depth = 0
    internal var path: [String] = []
    internal var positions: [String: JSONPosition] = [:]
    private var lines: LineCounter

    internal init(_ bytes: UnsafeRawBufferPointer, parser: JSONParser, records: Bool) {
        unsafe self.bytes = bytes
        self.count = bytes.count
        self.isJSON5 = parser.dialect == .json5
        self.maximumDepth = parser.maximumDepth
        self.records = records
        self.lines = unsafe LineCounter(bytes)
    }

    /// Reads the whole text.
    internal mutating func document() throws(JSONParseError) -> JSONValue {
        if let invalid = unsafe firstInvalidUTF8(in: bytes) {
            throw error(.invalidUTF8, at: invalid)
        }
        try skipSpace()
        if current == nil { throw error(.empty, at: offset) }
        record(at: offset)
        let value = try value()
        try skipSpace()
        if current != nil { throw error(.trailingText(character: found), at: offset) }
        return value
    }

    /// Reads the value that starts here.
    internal mutating func value() throws(JSONParseError) -> JSONValue {
        guard let byte = current else { throw error(.unexpectedEnd(inside: "a value"), at: offset) }
        switch byte {
        case UInt8(ascii: "{"):
            return .object(try object())
        case UInt8(ascii: "["):
            return .array(try array())
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "'"):
            if !isJSON5 { throw error(.needsJSON5("single quotes around a string are"), at: offset) }
            return .string(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            return try number()
        default:
            return try word()
        }
    }

    private mutating func word() throws(JSONParseError) -> JSONValue {
        let start = offset
        var end = start
        while end < count, isWordByte(unsafe bytes[end]) {
            end &+= 1
        }
        let text = text(from: start, to: end)
        let value: JSONValue
        switch text {
        case "null": value = .null
        case "true": value = .bool(true)
        case "false": value = .bool(false)
        case "Infinity", "NaN":
            if !isJSON5 { throw error(.needsJSON5("the number \(text) is"), at: start) }
            value = .double(text == "NaN" ? .nan : .infinity)
        default:
            let what = text.isEmpty ? found : "\"\(text)\""
            throw error(.unexpected(character: what, expected: "a value"), at: start)
        }
        offset = end
        return value
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    // MARK: The text

    /// The byte that stands here, nil at the end.
    internal var current: UInt8? {
        offset < count ? unsafe bytes[offset] : nil
    }

    /// A byte further on, nil behind the end.
    internal func peek(_ distance: Int) -> UInt8? {
        offset &+ distance < count ? unsafe bytes[offset &+ distance] : nil
    }

    /// The character that stands here, in words for a message.
    internal var found: String {
        guard let scalar = scalar(at: offset)?.value else { return "the end of the text" }
        if scalar.properties.generalCategory == .control { return "a control character (code \(scalar.value))" }
        return "\"\(Character(scalar))\""
    }

    /// The Unicode scalar at an offset with its length in bytes, nil at the end.
    internal func scalar(at start: Int) -> (value: Unicode.Scalar, length: Int)? {
        guard start < count else { return nil }
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<min(start &+ 4, count)])
        guard let scalar = unsafe String(decoding: part, as: UTF8.self).unicodeScalars.first else { return nil }
        return (scalar, UTF8.width(scalar))
    }

    internal func text(from start: Int, to end: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }

    // MARK: Places

    internal mutating func error(_ reason: JSONParseError.Reason, at offset: Int) -> JSONParseError {
        JSONParseError(reason: reason, position: lines.position(of: offset))
    }

    /// Notes the place of the current path.
    internal mutating func record(at offset: Int) {
        if records {
            positions[path.joined(separator: ".")] = lines.position(of: offset)
        }
    }
}

/// Turns offsets into lines and columns, going on from the last answer where it can.
@safe
internal struct LineCounter {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    private var offset = 0
    private var line = 1
    private var column = 1

    internal init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
        self.count = bytes.count
    }

    internal mutating func position(of wanted: Int) -> JSONPosition {
        if wanted < offset {
            (offset, line, column) = (0, 1, 1)
        }
        while offset < wanted, offset < count {
            let byte = unsafe bytes[offset]
            let next = offset &+ 1 < count ? unsafe bytes[offset &+ 1] : 0
            if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n")) {
                line &+= 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
            offset &+= 1
        }
        return JSONPosition(line: line, column: column, offset: wanted)
    }
}
