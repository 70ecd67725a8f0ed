/// How somebody names one of the sounds or subtitles of an item: by language, or by its number from 1 on.
package struct TrackName: Sendable {
    /// The language that stands for none, if there may be none.
    private let none: String?
    /// What is expected of a text, for who wrote something else.
    package let expected: String

    /// A sound: some is always played.
    package static let sound = TrackName(none: nil, expected: "a language such as de, or a number from 1 on")
    /// Subtitles, which may be `off`.
    package static let subtitles = TrackName(none: "off", expected: "a language such as de, a number from 1 on, or off")

    /// The longest tag of a language that is of any use (RFC 5646, 4.4.1).
    private static let longestTag = 35

    /// Whether a text may name a track, whatever tracks there are.
    package func fits(_ text: String) -> Bool {
        if text == none { return true }
        if let number = Int(text) { return number > 0 }
        guard text.utf8.count <= Self.longestTag, let first = text.utf8.first, Self.isLetter(first) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            Self.isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
