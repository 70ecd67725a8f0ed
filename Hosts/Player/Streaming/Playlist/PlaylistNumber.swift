/// Numbers as playlists write them.
enum PlaylistNumber {
    /// The longest duration that is taken for one, in seconds.
    private static let longestSeconds = 31_622_400.0

    /// A number of seconds, whole or with a fraction, as microseconds; nil when it is none.
    static func microseconds(_ text: Substring) -> Int64? {
        let text = text.prefix { $0 != " " && $0 != "\t" }
        guard text.utf8.count <= 32, text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }),
            let seconds = Double(text), seconds >= 0, seconds <= longestSeconds
        else { return nil }
        return Int64((seconds * 1_000_000).rounded())
    }

    /// A whole number from 0 on; nil when it is none.
    static func whole(_ text: Substring) -> Int64? {
        let text = text.prefix { $0 != " " && $0 != "\t" }
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy(isDigit) else { return nil }
        return Int64(text)
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
