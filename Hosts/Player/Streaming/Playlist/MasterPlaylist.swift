/// The variants of an HLS master playlist (RFC 8216, 4.3.4.2).
package struct MasterPlaylist: Sendable, Equatable {
    /// One of the forms in which the stream is there.
    package struct Variant: Sendable, Equatable {
        /// The address of its media playlist, as it is written; empty when none follows.
        package var uri: String
        /// The bitrate that it needs in bits per second.
        package var bandwidth: Int64
        /// The width of its picture in pixels.
        package var width: Int?
        /// The height of its picture in pixels.
        package var height: Int?
        /// Frames per second in thousandths.
        package var framesPerSecondMilli: Int64?

        /// Makes a variant of which only the given is known.
        package init(
            uri: String,
            bandwidth: Int64,
            width: Int? = nil,
            height: Int? = nil,
            framesPerSecondMilli: Int64? = nil
        ) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.width = width
            self.height = height
            self.framesPerSecondMilli = framesPerSecondMilli
        }
    }

    private static let tag = "#EXT-X-STREAM-INF:"

    /// The variants in the order of the playlist.
    package private(set) var variants: [Variant] = []

    /// Reads a playlist; anything but a master playlist has no variants.
    package init(text: String) {
        var lacksAddress = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(Self.tag) {
                let variant = Self.variant(PlaylistAttributes(line.dropFirst(Self.tag.count)))
                lacksAddress = variant != nil
                if let variant { variants.append(variant) }
            } else if !line.hasPrefix("#"), lacksAddress {
                variants[variants.count - 1].uri = String(line)
                lacksAddress = false
            }
        }
    }

    private static func variant(_ attributes: PlaylistAttributes) -> Variant? {
        guard let bandwidth = attributes["BANDWIDTH"].flatMap({ Int64($0) }) else { return nil }
        var variant = Variant(uri: "", bandwidth: bandwidth)
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
