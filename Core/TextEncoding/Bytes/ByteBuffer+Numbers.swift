extension ByteBuffer {
    /// Appends an integer in decimal.
    @inlinable
    public func append(decimal value: Int64) {
        if value < 0 {
            append(UInt8(ascii: "-"))
        }
        append(decimal: value.magnitude)
    }

    /// Appends an unsigned integer in decimal.
    @inlinable
    public func append(decimal value: UInt64) {
        if value < 10 {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
        } else {
            appendDigits(value, count: decimalDigitCount(value))
        }
    }

    /// Appends an integer in decimal, filled with zeros up to the given width.
    ///
    /// The sign is not counted: -7 with width 3 gives `-007`. A number with more digits is written in full.
    public func append(paddedDecimal value: Int64, width: Int) {
        if value < 0 {
            append(UInt8(ascii: "-"))
        }
        appendDigits(value.magnitude, count: max(width, decimalDigitCount(value.magnitude)))
    }

    /// Appends the shortest text that reads back as the same number.
    ///
    /// An integral number keeps its fraction (`1.0`), so that it reads back as a floating-point number. Numbers that
    /// JSON cannot express are written as `nan`, `inf` and `-inf`.
    public func append(double value: Double) {
        if value.magnitude < 1e15 {
            let whole = Int64(value)
            if Double(whole) == value, !(whole == 0 && value.sign == .minus) {
                append(decimal: whole)
                append(".0")
                return
            }
        }
        var stream = ByteBufferTextStream(buffer: self)
        value.write(to: &stream)
    }

    /// Writes exactly `count` digits of the value, with zeros on the left.
    @usableFromInline
    internal func appendDigits(_ value: UInt64, count: Int) {
        let pairs: StaticString =
            """
            00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051\
            52535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697989900
            """
        reserve(count)
        let start = unsafe storage + used
        let digits = unsafe pairs.utf8Start
        var rest = value
        var position = count
        while position >= 2 {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 100)
            let pair = Int(truncatingIfNeeded: remainder) &* 2
            position &-= 2
            unsafe start[position] = digits[pair]
            unsafe start[position &+ 1] = digits[pair &+ 1]
            rest = quotient
        }
        if position == 1 {
            unsafe start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        }
        used &+= count
    }
}

/// How many decimal digits the value has; 1 for zero.
@usableFromInline
internal func decimalDigitCount(_ value: UInt64) -> Int {
    var rest = value
    var count = 1
    while true {
        if rest < 10 { return count }
        if rest < 100 { return count &+ 1 }
        if rest < 1000 { return count &+ 2 }
        if rest < 10_000 { return count &+ 3 }
        rest /= 10_000
        count &+= 4
    }
}

/// Lets the standard library print into a buffer.
internal struct ByteBufferTextStream: TextOutputStream {
    internal let buffer: ByteBuffer

    internal mutating func write(_ string: String) {
        buffer.append(string)
    }

    // The standard library hands a number's text over here when a stream has this method, and makes a String on the
    // heap when it has not. Without it everything works, with one allocation for each long number.
    internal mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
        unsafe buffer.append(text)
    }
}
