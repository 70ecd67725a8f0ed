package import HostSupport
package import PlaybackEngine
internal import Tally

extension NetworkRequest {
    /// A request of a type of the vocabulary.
    init(_ url: String, type: String) {
        self.init()
        self.url = url
        host = url.firstRange(of: "://").map { scheme in
            String(url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
        self.type = type
    }

    /// What the engine tells of a request.
    init(_ request: EngineRequest) {
        self.init(request.url, type: Self.type(request))
        status = request.status.map(Int64.init)
        bytes = request.contentLength
        duration = request.durationMs.map { Double($0) / 1000 }
        firstByte = request.firstByteMs.map { Double($0) / 1000 }
    }

    private static func type(_ request: EngineRequest) -> String {
        let path = request.url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let contentType = (request.contentType ?? "").lowercased()
        if EngineRequest.isPlaylist(url: request.url) || EngineRequest.isPlaylist(contentType: request.contentType) {
            return "manifest"
        }
        if path.hasSuffix(".key") { return "encryption" }
        if contentType.hasPrefix("text/vtt") || path.hasSuffix(".vtt") { return "subtitle" }
        return "media"
    }
}

extension PlayerErrorDetails {
    /// What the engine says of an error.
    init(_ error: EngineError, fatal: Bool) {
        self.init(message: error.summary, fatal: fatal)
        if let status = error.httpStatus {
            domain = "http"
            code = Int64(status)
        } else if !error.engineDomain.isEmpty {
            domain = error.engineDomain
            code = Int64(error.engineCode)
        }
        if !error.detail.isEmpty { context = error.detail }
    }
}

extension EngineCommand {
    /// What the user is told of a command that the engine did not carry out.
    func refusalText(_ reason: String) -> String {
        let words: String? =
            switch self {
            // The reason names what was chosen and what there is; nobody may have given a command.
            case .selectAudio, .selectSubtitles, .begin: nil
            case .seek(let targetMs): "seek \(Self.text(Double(targetMs) / 1000))"
            case .setRate(let rate): "rate \(Self.text(rate))"
            case .setVolume(let volume): "volume \(volume)"
            case .setMuted(let isMuted): "mute \(isMuted ? "on" : "off")"
            case .pinRendition(let bitrate): "pin \(bitrate.map(String.init) ?? "auto")"
            case .load(let source): "load \(source)"
            case .play, .pause, .stop: "\(self)"
            }
        return words.map { "the command '\($0)' was refused: \(reason)" } ?? reason
    }

    /// A number as people write it in a command.
    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}

extension EngineError.Code {
    /// How the program ends because of it; the documentation's table is checked against this.
    package var exitCode: ExitCode {
        switch self {
        case .notFound, .forbidden, .keyUnavailable, .notReadable, .unsupportedScheme: .noInput
        case .notMedia, .invalidManifest, .missingCodec, .encrypted, .corrupt, .truncated, .segmentMissing:
            .badData
        case .httpError, .connectionRefused, .hostNotFound, .tlsFailed, .connectionLost, .stalled, .loadTimeout,
            .engineMissing:
            .unavailable
        case .engineFailure, .engineCrashed: .internalError
        }
    }
}
