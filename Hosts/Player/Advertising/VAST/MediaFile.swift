internal import XML

/// One file of a creative.
package struct MediaFile: Sendable, Equatable {
    /// Where it lies, as the document says.
    package var location: String
    /// Its media type in lower case.
    package var type: String
    /// Its bitrate in bits per second; the middle of a range, nil when nothing is said.
    package var bitrate: Int64?
    /// Its width in pixels.
    package var width: Int?
    /// Its height in pixels.
    package var height: Int?
    /// The interface that it needs when it is a program and no media.
    package var apiFramework: String?

    /// The types that can be played, the best first among files of the same bitrate.
    static let playableTypes = [
        "video/mp4", "application/vnd.apple.mpegurl", "application/x-mpegurl", "video/x-matroska", "video/webm",
        "video/quicktime", "video/mp2t", "application/dash+xml", "audio/mp4", "audio/mpeg",
    ]

    /// A file of which nothing is known.
    init(location: String) {
        self.location = location
        type = ""
    }

    init?(_ element: XMLElement) {
        guard !element.text.isEmpty else { return nil }
        func number(_ name: String) -> Int64? {
            element.attributes[name].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        location = element.text
        type = (element.attributes["type"] ?? "").lowercased()
        apiFramework = element.attributes["apiFramework"].flatMap { $0.isEmpty ? nil : $0 }
        width = number("width").map { Int($0) }
        height = number("height").map { Int($0) }
        let kilobits =
            number("bitrate") ?? number("minBitrate").flatMap { low in number("maxBitrate").map { low / 2 + $0 / 2 } }
        bitrate = kilobits.flatMap { $0 < 10_000_000 ? $0 * 1000 : nil }
    }

    /// Chooses the best of those that can be played: the highest bitrate up to a ceiling, otherwise the lowest.
    static func choose(from files: [MediaFile], maxBitrate: Int64?) -> MediaFile? {
        let playable = files.filter { $0.apiFramework == nil && playableTypes.contains($0.type) }
        let fitting = playable.filter { ($0.bitrate ?? 0) <= (maxBitrate ?? .max) }
        func rank(_ file: MediaFile) -> Int { playableTypes.firstIndex(of: file.type) ?? playableTypes.count }
        if fitting.isEmpty { return playable.min { ($0.bitrate ?? 0, rank($0)) < ($1.bitrate ?? 0, rank($1)) } }
        return fitting.min { (-($0.bitrate ?? 0), rank($0)) < (-($1.bitrate ?? 0), rank($1)) }
    }
}
