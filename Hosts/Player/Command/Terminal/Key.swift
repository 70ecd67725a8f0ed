/// A key that means something to the player.
enum Key: Equatable, Sendable {
    case space, left, right, up, down
    case character(Character)

    /// Reads keys from what a terminal sends; what may be the beginning of one is left in the bytes.
    static func take(from bytes: inout [UInt8]) -> [Key] {
        var keys: [Key] = []
        while let first = bytes.first {
            guard first == 0x1B else {
                bytes.removeFirst()
                if first == 0x20 {
                    keys.append(.space)
                } else if (0x21...0x7E).contains(first) {
                    keys.append(.character(Character(Unicode.Scalar(first))))
                }
                continue
            }
            guard let length = escapeLength(bytes) else { break }
            if length == 3, let key = arrows[bytes[2]] { keys.append(key) }
            bytes.removeFirst(length)
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]

    /// The length of an escape sequence; nil when its end has not come yet.
    private static func escapeLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count > 1 else { return nil }
        guard bytes[1] == 0x5B || bytes[1] == 0x4F else { return 1 }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return bytes.count > 16 ? bytes.count : nil
        }
        return end + 1
    }
}
