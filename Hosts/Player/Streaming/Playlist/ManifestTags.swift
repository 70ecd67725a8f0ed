/// The start tags of an XML text, one after another, without the prefixes of their names.
///
/// The media engine judges whether the text is well formed; what is not ends the tags early.
struct ManifestTags {
    /// A start tag.
    struct Tag: Equatable {
        let name: String
        let attributes: [String: String]
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next start tag; nil at the end, or where the text is none.
    mutating func next() -> Tag? {
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            guard let first = current else { return nil }
            switch first {
            case UInt8(ascii: "!"): skip(to: bytes[index...].starts(with: Array("!--".utf8)) ? "-->" : ">")
            case UInt8(ascii: "?"), UInt8(ascii: "/"): skip(to: ">")
            default: return tag()
            }
        }
        return nil
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func tag() -> Tag? {
        let name = take { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        var attributes: [String: String] = [:]
        while true {
            _ = take { Self.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard let next = current else { return nil }
            if next == UInt8(ascii: ">") { break }
            let key = take { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") }
            _ = take(while: Self.isSpace)
            guard !key.isEmpty, current == UInt8(ascii: "=") else { return nil }
            index += 1
            _ = take(while: Self.isSpace)
            guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            index += 1
            let value = take { $0 != quote }
            guard current != nil else { return nil }
            index += 1
            attributes[key] = value
        }
        return Tag(name: name.split(separator: ":").last.map(String.init) ?? "", attributes: attributes)
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, condition(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skip(to end: String) {
        let end = Array(end.utf8)
        while index < bytes.count, !bytes[index...].starts(with: end) { index += 1 }
        index = min(bytes.count, index + end.count)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
