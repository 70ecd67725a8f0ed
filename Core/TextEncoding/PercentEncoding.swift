/// Percent encoding of RFC 3986 for one component of a URL.
///
/// Only the unreserved characters (letters, digits, `-`, `.`, `_`, `~`) stay as they are; every other byte becomes
/// `%XX` with upper-case digits, a space included.
public enum PercentEncoding {
    /// Appends the bytes, encoded.
    public static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        buffer.reserve(bytes.count)
        for position in 0..<bytes.count {
            let byte = unsafe bytes[position]
            if isUnreserved(byte) {
                buffer.append(byte)
            } else {
                buffer.append(UInt8(ascii: "%"))
                buffer.append(Hex.digit(byte >> 4, uppercase: true))
                buffer.append(Hex.digit(byte & 0x0F, uppercase: true))
            }
        }
    }

    /// Appends the UTF-8 of a string, encoded.
    public static func append(_ text: String, to buffer: ByteBuffer) {
        var copy = text
        copy.withUTF8 { unsafe append(UnsafeRawBufferPointer($0), to: buffer) }
    }

    /// The UTF-8 of a string, encoded.
    public static func encode(_ text: String) -> String {
        let buffer = ByteBuffer(capacity: text.utf8.count)
        append(text, to: buffer)
        return buffer.string
    }

    /// The text that an encoded component stands for, or nil for a broken escape or when the result is not UTF-8.
    public static func decode(_ text: String) -> String? {
        let characters = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(characters.count)
        var position = 0
        while position < characters.count {
            if characters[position] != UInt8(ascii: "%") {
                result.append(characters[position])
                position += 1
                continue
            }
            guard position + 2 < characters.count,
                let high = Hex.value(ofDigit: characters[position + 1]),
                let low = Hex.value(ofDigit: characters[position + 2])
            else { return nil }
            result.append(high << 4 | low)
            position += 3
        }
        return String(validating: result, as: UTF8.self)
    }

    /// Whether the character stays as it is.
    @inlinable
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
