package import MediaRules
package import Tally

/// Finds the kind of a failure in what a player says of it.
package struct FailureRules: Sendable {
    private let isLoaded: Bool
    private let requests: [EngineRequest]
    private let missingDecoders: [MissingDecoder]

    /// Knows what has been seen of the item.
    package init(isLoaded: Bool, _ requests: [EngineRequest], _ missingDecoders: [MissingDecoder]) {
        self.isLoaded = isLoaded
        self.requests = requests
        self.missingDecoders = missingDecoders
    }

    /// The typed error for the player's own.
    package func error(_ raw: RawEngineError, of location: String) -> EngineError {
        guard raw.domain == "mpv" else {
            return ErrorClassifier(
                location: location,
                isLoaded: isLoaded,
                lastRequest: requests.last,
                missingDecoders: missingDecoders,
                refused: requests.last { !$0.succeeded }
            )
            .classify(raw)
        }
        var error = EngineError(code: code(ofMPV: raw), location: location, detail: raw.message)
        error.engineDomain = raw.domain
        error.engineCode = raw.code
        error.httpStatus = raw.httpStatus
        return error
    }

    /// mpv has one number for all failures of the network: what lies behind it is in the words of FFmpeg.
    private func code(ofMPV raw: RawEngineError) -> EngineError.Code {
        // The loudspeaker or the screen: what is said then is not said of the file.
        if raw.code == -14 || raw.code == -15 { return .engineFailure }
        switch raw.httpStatus {
        case 404, 410: return .notFound
        case 401, 403, 407: return .forbidden
        case .some(400...): return .httpError
        default: break
        }
        let words: [(String, EngineError.Code)] = [
            ("Connection refused", .connectionRefused), ("Failed to resolve", .hostNotFound),
            ("No such file", .notFound), ("Permission denied", .notReadable), ("certificate", .tlsFailed),
            ("Protocol not found", .unsupportedScheme), ("No protocol handler", .unsupportedScheme),
        ]
        if let found = words.first(where: { raw.debug.contains($0.0) }) { return found.1 }
        switch raw.code {
        case -13: return isLoaded ? .connectionLost : .notReadable
        // Nothing was chosen, or there is nothing.
        case -16: return .notMedia
        case -17: return .notMedia
        default: return .engineFailure
        }
    }
}

extension PlayerErrorDetails {
    /// What the engine says of an error.
    package init(_ error: EngineError, fatal: Bool) {
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

    /// What is known of a request that got no good answer.
    package init(failed request: EngineRequest) {
        let message =
            request.isIncomplete
            ? "the answer broke off"
            : request.status.map { "the server answered with status \($0)" } ?? "no server answered"
        self.init(
            message: message,
            domain: request.status == nil || request.isIncomplete ? nil : "http",
            code: request.isIncomplete ? nil : request.status.map(Int64.init)
        )
    }
}

extension NetworkRequest {
    /// A request of a type of the vocabulary.
    package init(_ url: String, type: String) {
        self.init()
        self.url = url
        host = url.firstRange(of: "://").map { scheme in
            String(url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
        self.type = type
    }

    /// What the engine tells of a request.
    package init(_ request: EngineRequest) {
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
