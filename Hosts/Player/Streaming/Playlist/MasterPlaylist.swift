/// The variants of an HLS master playlist (RFC 8216, 4.3.4.2).
package struct MasterPlaylist: Sendable, Equatable {
    private static let tag = "#EXT-X-STREAM-INF:"
    private static let mediaTag = "#EXT-X-MEDIA:"

    /// The variants in the order of the playlist.
    package private(set) var variants: [StreamRendition] = []
    /// The addresses of the media playlists of renditions, such as the sound's, as they are written.
    package private(set) var renditions: [String] = []
    /// Those among them whose media are texts.
    package private(set) var texts: [String] = []
    /// The addresses of all media playlists, as they are written.
    package var playlists: [String] { variants.map(\.uri) + renditions }
    /// Where playback is to begin; nil when nothing is said of it.
    package private(set) var start: StreamStart?
    /// What the variants are encoded with (`CODECS`), in their order; nil where nothing is said.
    private var codecs: [String?] = []

    /// The variants that may take the place of one, by their indices: those with the same attributes at other addresses
    /// (RFC 8216, 6.2.4).
    package func redundant(to index: Int) -> [Int] {
        var own = variants[index]
        return variants.indices.filter { other in
            own.uri = variants[other].uri
            return own == variants[other] && own.uri != variants[index].uri && codecs[other] == codecs[index]
        }
    }

    /// Reads a playlist; anything but a master playlist has no variants.
    package init(text: String) {
        var lacksAddress = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(Self.tag) {
                let attributes = PlaylistAttributes(line.dropFirst(Self.tag.count))
                let variant = Self.variant(attributes)
                lacksAddress = variant != nil
                if let variant {
                    variants.append(variant)
                    codecs.append(attributes["CODECS"])
                }
            } else if line.hasPrefix("#") {
                if line.hasPrefix(Self.mediaTag) {
                    add(rendition: PlaylistAttributes(line.dropFirst(Self.mediaTag.count)))
                }
                start = start ?? StreamStart(line: line)
            } else if lacksAddress {
                variants[variants.count - 1].uri = String(line)
                lacksAddress = false
            }
        }
    }

    private mutating func add(rendition: PlaylistAttributes) {
        guard let uri = rendition["URI"] else { return }
        renditions.append(uri)
        if rendition["TYPE"] == "SUBTITLES" { texts.append(uri) }
    }

    private static func variant(_ attributes: PlaylistAttributes) -> StreamRendition? {
        guard let bitrate = attributes["BANDWIDTH"].flatMap({ Int64($0) }) else { return nil }
        var variant = StreamRendition(bitrate: bitrate)
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
}
