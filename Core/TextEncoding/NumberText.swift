/// Reads numbers from their text, without a locale.
public enum NumberText {
    /// The integer that the bytes are the decimal text of, with an optional minus sign, or nil.
    public static func int(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        var position = 0
        let isNegative = unsafe bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        if isNegative {
            position = 1
        }
        guard position < bytes.count else { return nil }
        var magnitude: UInt64 = 0
        while position < bytes.count {
            let digit = unsafe bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            if overflows || carries { return nil }
            magnitude = sum
            position &+= 1
        }
        if isNegative {
            return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    /// The double nearest to the number that the bytes are the text of, or nil for what is no decimal number.
    ///
    /// The form is JSON's, with leading zeros and a missing digit on either side of the point allowed. A number that
    /// is too large gives infinity, one that is too small zero.
    public static func double(_ bytes: UnsafeRawBufferPointer) -> Double? {
        var parts = DecimalParts()
        guard unsafe parts.read(bytes) else { return nil }
        if let exact = parts.exactValue { return exact }
        // The standard library reads more than numbers (hexadecimal, inf, nan); the form is known to be good here.
        guard let magnitude = unsafe Double(String(decoding: parts.unsigned(bytes), as: UTF8.self)) else { return nil }
        return parts.isNegative ? -magnitude : magnitude
    }
}

/// The parts of a decimal number's text.
private struct DecimalParts {
    var isNegative = false
    private var digits: UInt64 = 0
    private var exponent = 0
    private var isTruncated = false

    /// Takes the text apart; false when it is no number.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        let count = bytes.count
        if position < count, unsafe bytes[position] == UInt8(ascii: "-") {
            isNegative = true
            position &+= 1
        }
        let whole = unsafe readDigits(bytes, &position)
        var fraction = 0
        if position < count, unsafe bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            fraction = unsafe readDigits(bytes, &position)
            exponent = -fraction
        }
        guard whole &+ fraction > 0 else { return false }
        if position < count, unsafe bytes[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            guard unsafe readExponent(bytes, &position) else { return false }
        }
        return position == count
    }

    private mutating func readDigits(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Int {
        let start = position
        while position < bytes.count {
            let digit = unsafe bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            if digits > 900_000_000_000_000_000 {
                isTruncated = true
            } else {
                digits = digits &* 10 &+ UInt64(digit)
            }
            position &+= 1
        }
        return position &- start
    }

    private mutating func readExponent(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Bool {
        var sign = 1
        if position < bytes.count {
            let byte = unsafe bytes[position]
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
                sign = byte == UInt8(ascii: "-") ? -1 : 1
                position &+= 1
            }
        }
        let start = position
        var value = 0
        while position < bytes.count {
            let digit = unsafe bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = min(value &* 10 &+ Int(digit), 1_000_000)
            position &+= 1
        }
        exponent &+= sign &* value
        return position > start
    }

    /// The value when one exact multiplication or division gives it: 15 digits and a power up to 22, as Clinger found.
    var exactValue: Double? {
        if isTruncated { return nil }
        if digits == 0 { return isNegative ? -0.0 : 0.0 }
        guard digits < 1 << 53, exponent.magnitude <= 22 else { return nil }
        var power = 1.0
        for _ in 0..<exponent.magnitude {
            power *= 10
        }
        let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
        return isNegative ? -magnitude : magnitude
    }

    /// The bytes without the sign.
    func unsigned(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: bytes[(isNegative ? 1 : 0)...])
    }
}
