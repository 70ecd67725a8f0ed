/// Bytes as hexadecimal digits.
public enum Hex {
    /// The digit of a value below 16.
    @inlinable
    public static func digit(_ nibble: UInt8, uppercase: Bool = false) -> UInt8 {
        if nibble < 10 { return UInt8(ascii: "0") &+ nibble }
        return (uppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) &+ (nibble &- 10)
    }

    /// The value of a digit, of either case, or nil for any other character.
    @inlinable
    public static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// Appends two digits for each byte.
    public static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer, uppercase: Bool = false) {
        buffer.reserve(bytes.count &* 2)
        for position in 0..<bytes.count {
            let byte = unsafe bytes[position]
            buffer.append(digit(byte >> 4, uppercase: uppercase))
            buffer.append(digit(byte & 0x0F, uppercase: uppercase))
        }
    }

    /// The digits of the bytes.
    public static func text(_ bytes: [UInt8], uppercase: Bool = false) -> String {
        let buffer = ByteBuffer(capacity: bytes.count * 2)
        unsafe bytes.withUnsafeBytes { unsafe append($0, to: buffer, uppercase: uppercase) }
        return buffer.string
    }

    /// The bytes that the digits stand for, or nil when there is an odd number of them or another character.
    public static func bytes(_ text: String) -> [UInt8]? {
        var result: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let value = value(ofDigit: character) else { return nil }
            if let upper = high {
                result.append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? result : nil
    }
}
