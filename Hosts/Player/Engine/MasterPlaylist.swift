/// The variants of an HLS master playlist.
///
/// The engine says which variant it changes to, but not which one it starts with; size and bitrate here close that gap.
package struct MasterPlaylist: Sendable {
    private static let tag = "#EXT-X-STREAM-INF:"

    /// The variants in the order of the playlist.
    package let variants: [EngineRendition]

    /// Reads a playlist; anything but a master playlist has no variants.
    package init(text: String) {
        variants = text.split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix(Self.tag) else { return nil }
            return Self.variant(attributes: Self.attributes(line.dropFirst(Self.tag.count)))
        }
    }

    private static func variant(attributes: [Substring: Substring]) -> EngineRendition? {
        guard let bitrate = attributes["BANDWIDTH"].flatMap({ Int64($0) }) else { return nil }
        var variant = EngineRendition(bitrate: bitrate)
        let size = attributes["RESOLUTION"]?.split(separator: "x").compactMap { Int($0) } ?? []
        if size.count == 2 {
            variant.width = size[0]
            variant.height = size[1]
        }
        if let rate = attributes["FRAME-RATE"].flatMap({ Double($0) }), rate > 0, rate < 1000 {
            variant.framesPerSecondMilli = Int64((rate * 1000).rounded())
        }
        return variant
    }

    /// Splits at commas outside of quotes.
    private static func attributes(_ list: Substring) -> [Substring: Substring] {
        var found: [Substring: Substring] = [:]
        var rest = list
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals]
            rest = rest[rest.index(after: equals)...]
            var isQuoted = false
            let end = rest.firstIndex { character in
                if character == "\"" { isQuoted.toggle() }
                return character == "," && !isQuoted
            }
            let stop = end ?? rest.endIndex
            found[name] = rest[..<stop]
            rest = stop == rest.endIndex ? rest[stop...] : rest[rest.index(after: stop)...]
        }
        return found
    }
}
