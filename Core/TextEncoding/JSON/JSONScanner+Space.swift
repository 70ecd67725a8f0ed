extension JSONScanner {
    /// Goes past white space and, in JSON5, comments.
    internal mutating func skipSpace() throws(JSONParseError) {
        while let byte = current {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                offset &+= 1
            case UInt8(ascii: "/"):
                try skipComment()
            case 0x0B, 0x0C, 0x80...:
                guard isJSON5, let scalar = scalar(at: offset), isSpace(scalar.value) else { return }
                offset &+= scalar.length
            default:
                return
            }
        }
    }

    private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0B, 0x0C, 0xA0, 0x2028, 0x2029, 0xFEFF: true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }

    private mutating func skipComment() throws(JSONParseError) {
        let start = offset
        let next = peek(1)
        guard next == UInt8(ascii: "/") || next == UInt8(ascii: "*") else {
            throw error(.unexpected(character: found, expected: "a value or a comment"), at: start)
        }
        if !isJSON5 { throw error(.needsJSON5("comments are"), at: start) }
        offset &+= 2
        if next == UInt8(ascii: "/") {
            while let byte = current, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r"), !isSeparator {
                offset &+= 1
            }
            return
        }
        while let byte = current {
            if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                offset &+= 2
                return
            }
            offset &+= 1
        }
        throw error(.unexpectedEnd(inside: "a comment that starts here"), at: start)
    }

    /// Whether U+2028 or U+2029 stands here, which end lines in JSON5.
    internal var isSeparator: Bool {
        guard current == 0xE2, peek(1) == 0x80, let last = peek(2) else { return false }
        return last == 0xA8 || last == 0xA9
    }
}
