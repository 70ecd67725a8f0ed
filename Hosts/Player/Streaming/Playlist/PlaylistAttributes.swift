/// The attribute list of a playlist's tag (RFC 8216, 4.2).
package struct PlaylistAttributes: Sendable, Equatable {
    /// How many attributes a list may have; further ones are left out.
    package static let limit = 100

    private var values: [String: String] = [:]

    /// Reads a list such as `BANDWIDTH=1,CODECS="a,b"`; what is no attribute is left out, and the first of a name
    /// counts.
    package init(_ list: Substring) {
        var rest = list
        while let equals = rest.firstIndex(of: "="), values.count < Self.limit {
            let name = rest[..<equals].drop { $0 == " " }
            rest = rest[rest.index(after: equals)...]
            var isQuoted = false
            let end =
                rest.firstIndex { character in
                    if character == "\"" { isQuoted.toggle() }
                    return character == "," && !isQuoted
                } ?? rest.endIndex
            let value = rest[..<end]
            let key = String(name)
            if values[key] == nil { values[key] = String(Self.unquoted(value)) }
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
        }
    }

    private static func unquoted(_ value: Substring) -> Substring {
        guard value.utf8.count >= 2, value.first == "\"", value.last == "\"" else { return value }
        return value.dropFirst().dropLast()
    }

    /// The value of an attribute without its quotes.
    package subscript(name: String) -> String? { values[name] }

    /// The names in the order of the alphabet.
    package var names: [String] { values.keys.sorted() }

    /// A number of seconds as microseconds; nil when it is none, negative or longer than a year.
    package func microseconds(_ name: String) -> Int64? {
        values[name].flatMap { PlaylistNumber.microseconds($0[...]) }
    }

    /// Takes the values of another list of the same thing, which count where both have one.
    package mutating func update(from other: PlaylistAttributes) { values.merge(other.values) { $1 } }
}

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
