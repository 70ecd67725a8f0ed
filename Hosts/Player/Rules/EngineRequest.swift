/// A network request of the engine and what came of it.
package struct EngineRequest: Sendable, Equatable {
    /// What was asked for.
    package var url: String
    /// The HTTP status, nil when no server answered.
    package var status: Int?
    /// The size of the answer by its header.
    package var contentLength: Int64?
    /// The type of the answer by its header.
    package var contentType: String?
    /// When it was asked for, ns of `CLOCK_MONOTONIC`, nil when that is not known.
    package var startNs: Int64?
    /// From asking to the last byte.
    package var durationMs: Int64?
    /// From asking to the answer's headers.
    package var firstByteMs: Int64?
    /// Whether an adaptive demuxer asked, for a playlist, segment or key; otherwise it is the manifest or the file.
    package var isOfDemuxer = false
    /// Whether not all of the answer came.
    package var isIncomplete = false
    /// Whether the engine let go of it itself.
    package var isGivenUp = false

    /// Creates a request; without a status nobody answered.
    package init(url: String, status: Int? = nil) {
        self.url = url
        self.status = status
    }

    /// Whether the server answered with success.
    package var succeeded: Bool {
        guard let status else { return false }
        return (200..<400).contains(status)
    }

    /// Whether an address names a playlist or manifest.
    package static func isPlaylist(url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u8", ".m3u", ".mpd"].contains { path.hasSuffix($0) }
    }

    /// Whether a type is that of a web page.
    package static func isWebPage(contentType: String?) -> Bool {
        (contentType ?? "").lowercased().hasPrefix("text/html")
    }

    /// Whether a type is that of a playlist or manifest.
    package static func isPlaylist(contentType: String?) -> Bool {
        let type = (contentType ?? "").lowercased()
        return ["mpegurl", "dash+xml"].contains { type.contains($0) }
    }
}
