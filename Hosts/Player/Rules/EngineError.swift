/// Why an item cannot be played.
package struct EngineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the failure; the raw value is a stable name for reports.
    package enum Code: String, Sendable, CaseIterable {
        case notFound = "not_found"
        case forbidden = "forbidden"
        case httpError = "http_error"
        /// No server listens at the address.
        case connectionRefused = "connection_refused"
        case hostNotFound = "host_not_found"
        /// No secure connection could be made, as with a certificate that is not trusted or names another host.
        case tlsFailed = "tls_failed"
        /// The connection broke in the middle.
        case connectionLost = "connection_lost"
        case notReadable = "not_readable"
        /// The address has a scheme that the player does not know, or cannot play this kind of source from.
        case unsupportedScheme = "unsupported_scheme"
        /// The data is no media: a web page, garbage, or nothing at all.
        case notMedia = "not_media"
        case invalidManifest = "invalid_manifest"
        case missingCodec = "missing_codec"
        case encrypted = "encrypted"
        /// The server does not give the key of an encrypted stream.
        case keyUnavailable = "key_unavailable"
        case corrupt = "corrupt"
        case truncated = "truncated"
        /// A segment is left out as no server has it; told beside playback, which goes on.
        case segmentMissing = "segment_missing"
        case stalled = "stalled"
        case loadTimeout = "load_timeout"
        case engineMissing = "engine_missing"
        case engineFailure = "engine_failure"
        /// The engine's process ended too early, or had to be ended.
        case engineCrashed = "engine_crashed"
    }

    /// The kind of the failure.
    package var code: Code
    /// The item, as given to `load`.
    package var location: String
    /// What is special to this case, such as a missing decoder's name; may be empty.
    package var detail: String
    /// The engine's own error domain, empty when the engine raised no error.
    package var engineDomain = ""
    /// The engine's own error code within its domain.
    package var engineCode = 0
    /// The HTTP status, when a server answered.
    package var httpStatus: Int?

    /// Creates an error that the engine itself did not raise.
    package init(code: Code, location: String, detail: String = "") {
        self.code = code
        self.location = location
        self.detail = detail
    }

    /// One sentence: what happened, where, and what to do next.
    package var description: String { "\(summary); \(words.advice)" }

    /// What happened and where, without advice.
    package var summary: String { "'\(location)' \(words.what)" + (detail.isEmpty ? "" : " (\(detail))") }

    private var words: (what: String, advice: String) {
        switch code {
        case .notFound: ("was not found", "check the path or address")
        case .forbidden:
            (
                "is not accessible: the server answered with status \(statusText)",
                "check the access rights on the server"
            )
        case .httpError:
            ("cannot be fetched: the server answered with status \(statusText)", "look at the server's log")
        case .connectionRefused:
            ("cannot be fetched: nothing accepts connections there", "check host and port, and that the server runs")
        case .hostNotFound: ("cannot be fetched: the host name is unknown", "check the spelling and the name service")
        case .tlsFailed:
            (
                "cannot be fetched: no secure connection can be made",
                "check the server's certificate, its name and the clock"
            )
        case .connectionLost: ("broke off: the connection was lost", "check the server and try again")
        case .notReadable: ("cannot be read", "check that it is a file and its permissions")
        case .unsupportedScheme:
            ("cannot be played from an address of this kind", "use http://, https:// or, for a media file, its path")
        case .notMedia: ("contains no media", "check that the address is that of a media file or manifest")
        case .invalidManifest: ("has a manifest that cannot be used", "check the playlists on the server")
        case .missingCodec:
            (
                "needs a decoder that is not installed",
                "install the GStreamer plugin for it or encode the media differently"
            )
        case .encrypted: ("is encrypted", "use an unencrypted copy")
        case .keyUnavailable:
            (
                "cannot be decrypted: its key is not to be had",
                "check that the server has the key and gives it to this player"
            )
        case .corrupt: ("is damaged", "check or repeat the encoding")
        case .truncated: ("ends before its announced duration", "check that the file was copied completely")
        case .segmentMissing: ("lacks a segment", "check that the packager and the servers have all segments")
        case .stalled: ("stopped making progress", "check the network and the server, or allow a longer stall")
        case .loadTimeout: ("did not start in time", "check the network and the server, or allow a longer load")
        case .engineMissing:
            (
                "cannot be opened: a part of GStreamer is missing",
                "install gstreamer1.0-plugins-base, -good and gstreamer1.0-libav"
            )
        case .engineFailure: ("cannot be played: the media engine failed", "see the engine's text")
        case .engineCrashed:
            (
                "cannot be played: the media engine crashed",
                "encode or package the media differently, and report what it is made of to GStreamer"
            )
        }
    }

    private var statusText: String { httpStatus.map(String.init) ?? "unknown" }
}
