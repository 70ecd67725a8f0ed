internal import PluginKit

/// Makes identifiers: UUIDs of version 4 as text, in small letters.
enum IdentifierText {
    /// An identifier from a number of the session's random sequence.
    ///
    /// The time goes in as well: a tracker that joins a session a second time is given the same numbers again.
    static func make(_ random: UInt64, at time: Int64) -> String {
        var generator = SplitMix64(seed: random ^ UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15)
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text = ""
        text.reserveCapacity(36)
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { text += "-" }
            let word = position < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (position & 15))) & 0xF
            text.unicodeScalars.append(Unicode.Scalar(Hex.digit(nibble)))
        }
        return text
    }
}
