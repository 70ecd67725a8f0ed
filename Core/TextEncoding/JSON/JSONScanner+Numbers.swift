extension JSONScanner {
    /// Reads the number whose sign, digit or point stands here.
    internal mutating func number() throws(JSONParseError) -> JSONValue {
        let start = offset
        var isNegative = false
        if current == UInt8(ascii: "-") {
            isNegative = true
            offset &+= 1
        } else if current == UInt8(ascii: "+") {
            if !isJSON5 { throw error(.needsJSON5("a plus sign before a number is"), at: start) }
            offset &+= 1
        }
        if isJSON5, let special = try specialNumber(isNegative: isNegative, from: start) {
            return special
        }
        let numberStart = offset
        let whole = skipDigits()
        if whole > 1, unsafe bytes[numberStart] == UInt8(ascii: "0") {
            throw error(.badNumber("a leading zero is not allowed"), at: numberStart)
        }
        if whole == 0, !(isJSON5 && current == UInt8(ascii: ".")) {
            throw error(.badNumber("a digit is missing, found \(found)"), at: offset)
        }
        let fraction = try skipFraction(whole: whole)
        let exponent = try skipExponent()
        if let byte = current, isNumberTail(byte) {
            throw error(.badNumber("found \(found) in it"), at: offset)
        }
        let end = offset
        let textStart = isNegative ? start : numberStart
        let digits = unsafe UnsafeRawBufferPointer(rebasing: bytes[textStart..<end])
        if !fraction, !exponent, let value = unsafe NumberText.int(digits) {
            return .int(value)
        }
        guard let value = unsafe NumberText.double(digits), value.isFinite else {
            throw error(.numberOutOfRange(text(from: start, to: end)), at: start)
        }
        return .double(value)
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            offset &+= 1
        }
        return offset &- start
    }

    private mutating func skipFraction(whole: Int) throws(JSONParseError) -> Bool {
        guard current == UInt8(ascii: ".") else { return false }
        offset &+= 1
        let digits = skipDigits()
        let isAllowed = digits > 0 || (isJSON5 && whole > 0)
        if !isAllowed { throw error(.badNumber("a digit is missing after the point"), at: offset) }
        return true
    }

    private mutating func skipExponent() throws(JSONParseError) -> Bool {
        guard let byte = current, byte | 0x20 == UInt8(ascii: "e") else { return false }
        offset &+= 1
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") {
            offset &+= 1
        }
        if skipDigits() == 0 { throw error(.badNumber("a digit is missing in the exponent"), at: offset) }
        return true
    }

    private func isNumberTail(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    // MARK: JSON5

    /// A hexadecimal number, Infinity or NaN; nil when a decimal number stands here.
    private mutating func specialNumber(isNegative: Bool, from start: Int) throws(JSONParseError) -> JSONValue? {
        if current == UInt8(ascii: "0"), let mark = peek(1), mark | 0x20 == UInt8(ascii: "x") {
            offset &+= 2
            return .int(try hexadecimal(isNegative: isNegative, from: start))
        }
        for (name, value) in [("Infinity", Double.infinity), ("NaN", Double.nan)] where stands(name) {
            offset &+= name.utf8.count
            return .double(isNegative ? -value : value)
        }
        return nil
    }

    private func stands(_ word: String) -> Bool {
        let end = offset &+ word.utf8.count
        return end <= count && text(from: offset, to: end) == word
    }

    private mutating func hexadecimal(isNegative: Bool, from start: Int) throws(JSONParseError) -> Int64 {
        var magnitude: UInt64 = 0
        let digitsStart = offset
        var overflows = false
        while let byte = current, let digit = Hex.value(ofDigit: byte) {
            overflows = overflows || magnitude >> 60 != 0
            magnitude = magnitude << 4 | UInt64(digit)
            offset &+= 1
        }
        if offset == digitsStart { throw error(.badNumber("a hexadecimal digit is missing"), at: offset) }
        if let byte = current, isNumberTail(byte) { throw error(.badNumber("found \(found) in it"), at: offset) }
        if !overflows {
            if isNegative, magnitude <= Int64.min.magnitude { return Int64(truncatingIfNeeded: 0 &- magnitude) }
            if !isNegative, let value = Int64(exactly: magnitude) { return value }
        }
        throw error(.numberOutOfRange(text(from: start, to: offset)), at: start)
    }
}
