extension JSONScanner {
    /// Reads the string whose quote stands here.
    internal mutating func string() throws(JSONParseError) -> String {
        let start = offset
        guard let quote = current else { throw error(.unexpectedEnd(inside: "a string"), at: offset) }
        offset &+= 1
        var decoded: [UInt8] = []
        var runStart = offset
        while let byte = current {
            if byte == quote {
                unsafe decoded.append(contentsOf: bytes[runStart..<offset])
                offset &+= 1
                return String(decoding: decoded, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                unsafe decoded.append(contentsOf: bytes[runStart..<offset])
                try escape(into: &decoded)
                runStart = offset
            } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                throw error(.lineEndInString, at: offset)
            } else if byte < 0x20, !isJSON5 {
                throw error(.controlCharacter(byte), at: offset)
            } else {
                offset &+= 1
            }
        }
        throw error(.unexpectedEnd(inside: "a string that starts here"), at: start)
    }

    /// Reads the escape whose backslash stands here.
    private mutating func escape(into decoded: inout [UInt8]) throws(JSONParseError) {
        let start = offset
        offset &+= 1
        guard let kind = current else { throw error(.unexpectedEnd(inside: "an escape"), at: start) }
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            offset &+= 1
            let scalar = try unicodeEscape(from: start)
            decoded.append(contentsOf: Array(String(Character(scalar)).utf8))
            return
        default:
            if !isJSON5 { throw error(.badEscape("\\" + found.filter { $0 != "\"" }), at: start) }
            return try json5Escape(kind, from: start, into: &decoded)
        }
        offset &+= 1
    }

    private mutating func json5Escape(
        _ kind: UInt8,
        from start: Int,
        into decoded: inout [UInt8]
    ) throws(JSONParseError) {
        switch kind {
        case UInt8(ascii: "v"): decoded.append(0x0B)
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"):
            if peek(1) == UInt8(ascii: "\n") {
                offset &+= 1
            }
        case UInt8(ascii: "x"):
            offset &+= 1
            let value = try hexDigits(2, from: start)
            decoded.append(contentsOf: Array(String(Character(Unicode.Scalar(UInt8(value)))).utf8))
            return
        case UInt8(ascii: "0"):
            if let next = peek(1), next >= UInt8(ascii: "0"), next <= UInt8(ascii: "9") {
                throw error(.badEscape("\\0 before a digit"), at: start)
            }
            decoded.append(0)
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            throw error(.badEscape("\\\(kind &- UInt8(ascii: "0"))"), at: start)
        default:
            // Any other character stands for itself; a line separator is left out, as a line end is.
            let length = scalar(at: offset)?.length ?? 1
            if !isSeparator {
                unsafe decoded.append(contentsOf: bytes[offset..<(offset &+ length)])
            }
            offset &+= length
            return
        }
        offset &+= 1
    }

    /// Reads the digits of a `\u` escape, and those of a second one when the first is half of a pair.
    private mutating func unicodeEscape(from start: Int) throws(JSONParseError) -> Unicode.Scalar {
        let first = try hexDigits(4, from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let firstText = text(from: start, to: offset)
        guard first < 0xDC00, current == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") else {
            throw error(.loneSurrogate(firstText), at: start)
        }
        let secondStart = offset
        offset &+= 2
        let second = try hexDigits(4, from: secondStart)
        guard second >= 0xDC00, second <= 0xDFFF,
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else {
            throw error(.loneSurrogate(firstText), at: start)
        }
        return scalar
    }

    private mutating func hexDigits(_ count: Int, from start: Int) throws(JSONParseError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = current else { throw error(.unexpectedEnd(inside: "an escape"), at: start) }
            guard let digit = Hex.value(ofDigit: byte) else {
                throw error(.unexpected(character: found, expected: "a hexadecimal digit"), at: offset)
            }
            value = value << 4 | UInt32(digit)
            offset &+= 1
        }
        return value
    }
}
