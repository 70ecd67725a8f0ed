/// The addresses of the keys that the playlists of a stream name, as these write them.
package struct StreamKeys: Sendable {
    /// A live stream may name a new key with every segment.
    private static let limit = 64
    private var names: [Substring] = []

    /// None is known.
    package init() {}

    /// Adds those of a playlist; the oldest ones are forgotten.
    package mutating func read(_ playlist: String) {
        for line in playlist.split(whereSeparator: \.isNewline) {
            guard line.hasPrefix("#EXT-X-KEY:") || line.hasPrefix("#EXT-X-SESSION-KEY:"),
                let start = line.firstRange(of: "URI=\"")?.upperBound
            else { continue }
            let name = line[start...].prefix { $0 != "\"" }
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        names.removeFirst(max(0, names.count - Self.limit))
    }

    /// Whether an address is that of a key: what a playlist writes is all of it, or its end.
    package func contains(_ url: String) -> Bool {
        names.contains { name in
            var end = name
            for step in ["../", "./", "/"] { while end.hasPrefix(step) { end = end.dropFirst(step.count) } }
            return url == name || url.hasSuffix("/" + end)
        }
    }
}
