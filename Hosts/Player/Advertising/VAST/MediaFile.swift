internal import XML

/// One file of a creative.
package struct MediaFile: Sendable, Equatable {
    /// Where it lies.
    package var location: String
    /// Its media type in lower case, without parameters, and by its usual name.
    package var type: String
    /// Its bitrate in bits per second; the middle of a range, nil when nothing is said.
    package var bitrate: Int64?
    /// Its width in pixels.
    package var width: Int?
    /// Its height in pixels.
    package var height: Int?
    /// The interface that it names; only programs need one.
    package var apiFramework: String?

    /// The types that can be played, the best first among files of the same bitrate.
    static let playableTypes = [
        "video/mp4", "application/vnd.apple.mpegurl", "application/x-mpegurl", "video/x-matroska", "video/webm",
        "video/quicktime", "video/mp2t", "application/dash+xml", "video/3gpp", "video/ogg", "audio/mp4", "audio/mpeg",
        "audio/aac", "audio/ogg",
    ]

    /// Other names of these types that are in use.
    private static let aliases = [
        "video/x-mp4": "video/mp4", "video/mpeg4": "video/mp4", "video/m4v": "video/mp4", "video/x-m4v": "video/mp4",
        "application/mp4": "video/mp4", "mp4": "video/mp4", "webm": "video/webm", "video/x-webm": "video/webm",
        "video/mov": "video/quicktime", "application/mpegurl": "application/vnd.apple.mpegurl",
        "vnd.apple.mpegurl": "application/vnd.apple.mpegurl", "audio/mpegurl": "application/vnd.apple.mpegurl",
        "audio/x-mpegurl": "application/vnd.apple.mpegurl", "video/mpegurl": "application/vnd.apple.mpegurl",
        "video/x-mpegurl": "application/vnd.apple.mpegurl", "video/vnd.mpeg.dash.mpd": "application/dash+xml",
        "application/ogg": "video/ogg", "video/matroska": "video/x-matroska", "audio/mp3": "audio/mpeg",
        "audio/x-mp3": "audio/mpeg", "audio/mpeg3": "audio/mpeg", "audio/x-mpeg": "audio/mpeg",
        "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4", "audio/x-aac": "audio/aac", "audio/aacp": "audio/aac",
    ]

    /// What a file is by the end of its name, for those that say no type.
    private static let typesByExtension = [
        "mp4": "video/mp4", "m4v": "video/mp4", "m3u8": "application/vnd.apple.mpegurl", "webm": "video/webm",
        "mkv": "video/x-matroska", "mov": "video/quicktime", "ts": "video/mp2t", "mpd": "application/dash+xml",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac",
    ]

    /// Interfaces of programs: what names another one, such as `VAST`, is media all the same.
    private static let programs = ["vpaid", "simid", "mraid", "omid", "clicktag", "flashvars"]

    /// A file of which nothing is known.
    init(location: String) {
        self.location = location
        type = ""
    }

    /// What a `MediaFile` says, with the address that its text stands for.
    init(_ element: XMLElement, location: String) {
        func number(_ name: String) -> Int64? {
            element.attributes[name].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        self.location = location
        type = Self.type(element.attributes["type"] ?? "", of: location)
        apiFramework = element.attributes["apiFramework"].flatMap { $0.isEmpty ? nil : $0 }
        width = number("width").map { Int($0) }
        height = number("height").map { Int($0) }
        let kilobits =
            number("bitrate") ?? number("minBitrate").flatMap { low in number("maxBitrate").map { low / 2 + $0 / 2 } }
        bitrate = kilobits.flatMap { $0 < 10_000_000 ? $0 * 1000 : nil }
    }

    /// The type without parameters such as `; codecs="avc1.4D401E"`, by its usual name.
    private static func type(_ text: String, of location: String) -> String {
        let name = text.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        guard name.isEmpty else { return aliases[name] ?? name }
        let path = location.prefix { $0 != "?" && $0 != "#" }
        return typesByExtension[path.split(separator: ".").last?.lowercased() ?? ""] ?? ""
    }

    /// Whether it is a program that plays the ad itself.
    var isProgram: Bool {
        guard let apiFramework = apiFramework?.lowercased() else { return false }
        return Self.programs.contains { apiFramework.hasPrefix($0) }
    }

    /// Chooses the best of those that can be played: the highest bitrate up to a ceiling, otherwise the lowest.
    static func choose(from files: [MediaFile], maxBitrate: Int64?) -> MediaFile? {
        let playable = files.filter { !$0.isProgram && playableTypes.contains($0.type) }
        let fitting = playable.filter { ($0.bitrate ?? 0) <= (maxBitrate ?? .max) }
        func rank(_ file: MediaFile) -> Int { playableTypes.firstIndex(of: file.type) ?? playableTypes.count }
        if fitting.isEmpty { return playable.min { ($0.bitrate ?? 0, rank($0)) < ($1.bitrate ?? 0, rank($1)) } }
        return fitting.min { (-($0.bitrate ?? 0), rank($0)) < (-($1.bitrate ?? 0), rank($1)) }
    }
}
