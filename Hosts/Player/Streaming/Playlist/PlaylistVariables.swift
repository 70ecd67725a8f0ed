/// The variables of a playlist (`EXT-X-DEFINE`; RFC 8216bis, 4.3 and 4.4.2.3).
package struct PlaylistVariables: Sendable, Equatable {
    /// How many are read; further ones are left out.
    package static let limit = 1000
    private static let tag = "#EXT-X-DEFINE:"

    private var values: [String: String] = [:]

    /// There are none.
    package init() {}

    /// Reads the definitions of a playlist at an address; what it imports is what its master playlist defines.
    package init(text: String, at url: String, importing imported: PlaylistVariables = PlaylistVariables()) {
        guard text.contains(Self.tag) else { return }
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix(Self.tag) && values.count < Self.limit
        {
            let attributes = PlaylistAttributes(line.dropFirst(Self.tag.count))
            if let name = attributes["NAME"] {
                values[name] = attributes["VALUE"]
            } else if let name = attributes["IMPORT"] {
                values[name] = imported.values[name]
            } else if let name = attributes["QUERYPARAM"] {
                values[name] = WebQuery.value(of: name, in: url)
            }
        }
    }

    /// Whether there are none.
    package var isEmpty: Bool { values.isEmpty }

    /// A playlist's text with values in place of its variables; what has none stays as it is.
    package func replaced(in text: String) -> String {
        guard !isEmpty, text.contains("{$") else { return text }
        return Self.replaced(text, opening: ["{$"], closing: ["}"]) { values[$0] }
    }

    /// An address that a player made of a reference with variables, as if these had been replaced before.
    ///
    /// Braces and the dollar sign may be encoded. What begins with a variable may be an address by itself.
    package func address(_ url: String) throws(UnknownVariable) -> String {
        var unknown: String?
        let opening = ["{$", "%7B$", "%7b$", "%7B%24", "%7b%24"]
        let address = Self.replaced(url, opening: opening, closing: ["}", "%7D", "%7d"]) { name in
            if values[name] == nil { unknown = unknown ?? name }
            return values[name]
        }
        if let unknown { throw UnknownVariable(name: unknown) }
        guard address != url else { return url }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = path.ranges(of: "://").last, path.ranges(of: "://").count > 1 else { return address }
        let name = path[..<scheme.lowerBound].reversed().prefix { $0.isLetter }
        return String(address[address.index(scheme.lowerBound, offsetBy: -name.count)...])
    }

    /// A variable that no playlist which is known defines.
    package struct UnknownVariable: Error, Equatable, Sendable {
        /// Its name.
        package let name: String
    }

    private static func replaced(
        _ text: String,
        opening: [String],
        closing: [String],
        _ value: (String) -> String?
    ) -> String {
        var result = ""
        var rest = text[...]
        while let start = opening.compactMap({ rest.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) {
            let name = rest[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            let behind = rest[name.endIndex...]
            guard !name.isEmpty, let end = closing.first(where: behind.hasPrefix) else {
                result += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            result += rest[..<start.lowerBound]
            result += value(String(name)) ?? String(rest[start.lowerBound..<name.endIndex] + end)
            rest = behind.dropFirst(end.count)
        }
        return result + rest
    }
}

/// The query of an address.
enum WebQuery {
    /// The value of its first parameter of a name, decoded; nil when there is none.
    static func value(of name: String, in url: String) -> String? {
        guard let mark = url.firstIndex(of: "?") else { return nil }
        let query = url[url.index(after: mark)...].prefix { $0 != "#" }
        for part in query.split(separator: "&") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if let first = pieces.first, decoded(first) == name { return pieces.count > 1 ? decoded(pieces[1]) : "" }
        }
        return nil
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
