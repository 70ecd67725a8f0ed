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
    package mutating func update(from other: PlaylistAttributes) {
        values.merge(other.values) { $1 }
    }
}
