extension ByteBuffer {
    /// Appends a string with JSON's escapes, without the quotes around it.
    @inlinable
    public func append(jsonEscaped text: String) {
        let done: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            unsafe append(jsonEscaped: UnsafeRawBufferPointer($0))
        }
        if done == nil {
            var copy = text
            copy.withUTF8 { unsafe append(jsonEscaped: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Appends UTF-8 with JSON's escapes, without the quotes around it.
    public func append(jsonEscaped utf8: UnsafeRawBufferPointer) {
        let count = utf8.count
        reserve(count)
        var start = 0
        while start < count {
            let end = unsafe endOfPlainRun(utf8, from: start)
            if end > start {
                unsafe append(UnsafeRawBufferPointer(rebasing: utf8[start..<end]))
            }
            if end < count {
                unsafe appendEscape(utf8[end])
            }
            start = end &+ 1
        }
    }

    /// The position of the next byte that needs an escape, or the end; 16 bytes are looked at together.
    private func endOfPlainRun(_ utf8: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = utf8.baseAddress else { return start }
        let count = utf8.count
        var position = start
        while position &+ 16 <= count {
            let first = unsafe Self.special(base + position)
            let second = unsafe Self.special(base + position + 8)
            if first | second != 0 {
                return first != 0
                    ? position &+ first.trailingZeroBitCount >> 3 : position &+ 8 &+ second.trailingZeroBitCount >> 3
            }
            position &+= 16
        }
        if position &+ 8 <= count {
            let special = unsafe Self.special(base + position)
            if special != 0 { return position &+ special.trailingZeroBitCount >> 3 }
            position &+= 8
        }
        while position < count {
            let byte = unsafe utf8[position]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            position &+= 1
        }
        return position
    }

    /// The top bit of the first of eight bytes that needs an escape, and perhaps of later ones; 0 when none does.
    ///
    /// What is borrowed in a subtraction comes from the bytes behind one that needs an escape.
    @inline(__always)
    private static func special(_ start: UnsafeRawPointer) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let word = UInt64(littleEndian: unsafe start.loadUnaligned(as: UInt64.self))
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let below = (word &- (ones &* 0x20)) | (quote &- ones) | (backslash &- ones)
        return below & ~word & (ones &* 0x80)
    }

    private func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        default:
            append("u00")
            append(Hex.digit(byte >> 4))
            append(Hex.digit(byte & 0x0F))
        }
    }
}
