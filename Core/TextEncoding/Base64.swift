/// Base64 of RFC 4648 with the standard alphabet and padding.
public enum Base64 {
    /// Appends the bytes as Base64.
    public static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
        buffer.reserve((bytes.count &+ 2) / 3 &* 4)
        var position = 0
        while position < bytes.count {
            let left = bytes.count &- position
            let first = unsafe UInt32(bytes[position]) << 16
            let second = left > 1 ? unsafe UInt32(bytes[position &+ 1]) << 8 : 0
            let third = left > 2 ? unsafe UInt32(bytes[position &+ 2]) : 0
            let group = first | second | third
            buffer.append(character(group >> 18))
            buffer.append(character(group >> 12))
            buffer.append(left > 1 ? character(group >> 6) : UInt8(ascii: "="))
            buffer.append(left > 2 ? character(group) : UInt8(ascii: "="))
            position &+= 3
        }
    }

    /// The bytes as Base64.
    public static func encode(_ bytes: [UInt8]) -> String {
        let buffer = ByteBuffer(capacity: (bytes.count + 2) / 3 * 4)
        unsafe bytes.withUnsafeBytes { unsafe append($0, to: buffer) }
        return buffer.string
    }

    /// The bytes that the text stands for, or nil when it is not Base64 in its one canonical form.
    ///
    /// White space, missing padding and stray bits in the last character are refused.
    public static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        if characters.isEmpty { return [] }
        guard characters.count.isMultiple(of: 4) else { return nil }
        var padding = 0
        while padding < 2, characters[characters.count - 1 - padding] == UInt8(ascii: "=") {
            padding += 1
        }
        var result: [UInt8] = []
        result.reserveCapacity(characters.count / 4 * 3)
        var group: UInt32 = 0
        var collected = 0
        for character in characters.dropLast(padding) {
            guard let value = value(of: character) else { return nil }
            group = group << 6 | value
            collected += 1
            if collected == 4 {
                result.append(UInt8(truncatingIfNeeded: group >> 16))
                result.append(UInt8(truncatingIfNeeded: group >> 8))
                result.append(UInt8(truncatingIfNeeded: group))
                (group, collected) = (0, 0)
            }
        }
        switch padding {
        case 1:
            guard group & 0b11 == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: group >> 10))
            result.append(UInt8(truncatingIfNeeded: group >> 2))
        case 2:
            guard group & 0b1111 == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: group >> 4))
        default:
            break
        }
        return result
    }

    private static func character(_ sextet: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: sextet & 63) {
        case let value where value < 26: UInt8(ascii: "A") &+ value
        case let value where value < 52: UInt8(ascii: "a") &+ value &- 26
        case let value where value < 62: UInt8(ascii: "0") &+ value &- 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
