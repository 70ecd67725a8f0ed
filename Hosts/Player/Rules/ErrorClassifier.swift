/// Finds the kind of a failure in what the engine said before and with it.
package struct ErrorClassifier: Sendable {
    private let location: String
    private let lastRequest: EngineRequest?
    private let missingDecoders: [MissingDecoder]
    private let isLoaded: Bool
    private let refused: EngineRequest?
    private let webPage: String?
    private let isProtected: Bool
    private let keys: StreamKeys

    /// Creates a classifier that knows what has been seen of an item.
    ///
    /// - Parameters:
    ///   - location: the item.
    ///   - isLoaded: whether its first media was decoded.
    ///   - lastRequest: the last request of which the answer is known.
    ///   - missingDecoders: what there is no decoder for.
    ///   - refused: what an adaptive demuxer asked for and did not get.
    ///   - webPage: a web page that came for a part of the stream.
    ///   - isProtected: whether media are encrypted.
    ///   - keys: the keys that playlists name.
    package init(
        location: String,
        isLoaded: Bool,
        lastRequest: EngineRequest? = nil,
        missingDecoders: [MissingDecoder] = [],
        refused: EngineRequest? = nil,
        webPage: String? = nil,
        isProtected: Bool = false,
        keys: StreamKeys = StreamKeys()
    ) {
        self.location = location
        self.isLoaded = isLoaded
        self.lastRequest = lastRequest
        self.missingDecoders = missingDecoders
        self.refused = refused
        self.webPage = webPage
        self.isProtected = isProtected
        self.keys = keys
    }

    /// The typed error for the engine's own.
    package func classify(_ raw: RawEngineError) -> EngineError {
        if let refusal = raw.refusal {
            var error = EngineError(code: refusal, location: location, detail: raw.message)
            error.engineDomain = raw.domain
            return error
        }
        let code = code(of: raw)
        var error = EngineError(code: code, location: location, detail: detail(of: raw, as: code))
        let reason = reason(behind: code)
        if let reason { (error.code, error.detail) = (reason.code, reason.detail) }
        error.engineDomain = raw.domain
        error.engineCode = raw.code
        error.httpStatus = raw.httpStatus.flatMap { $0 >= 100 ? $0 : nil } ?? reason?.status
        return error
    }

    /// What is known to lie behind an error that says no more than that the media is not what it should be.
    private func reason(behind code: EngineError.Code) -> (code: EngineError.Code, detail: String, status: Int?)? {
        let isOfKey = refused.map { Self.code(of: $0, keys: keys) == .keyUnavailable } ?? false
        guard isOfKey || [.notMedia, .corrupt, .connectionLost].contains(code) else { return nil }
        if let refused, let status = refused.status, !refused.succeeded {
            return (Self.code(of: refused, keys: keys), "\(refused.url) is answered with status \(status)", status)
        }
        // The demuxer lets go of what it cannot read, so that it looks as if that had broken off.
        if let webPage { return (.notMedia, "\(webPage) is a web page", nil) }
        if isProtected { return (.encrypted, "its key is for another player", nil) }
        guard let refused, refused.status != nil else { return nil }
        return (.connectionLost, "\(refused.url) breaks off", nil)
    }

    private func code(of raw: RawEngineError) -> EngineError.Code {
        if let status = raw.httpStatus, status >= 100 {
            // The server answered well, so it is the body that broke off.
            return Self.httpCode(status)
                ?? (raw.domain == "gst-resource-error-quark" ? .connectionLost : domainCode(raw))
        }
        if let transport = transportCode(raw) { return transport }
        return domainCode(raw)
    }

    /// The kind of the failure when a part of an item is not to be had.
    package static func code(of refused: EngineRequest, keys: StreamKeys) -> EngineError.Code {
        // A server that fails may have the key later.
        if let status = refused.status, (400..<500).contains(status), keys.contains(refused.url) {
            return .keyUnavailable
        }
        return refused.status.flatMap(httpCode) ?? .connectionLost
    }

    private static func httpCode(_ status: Int) -> EngineError.Code? {
        switch status {
        case 404, 410: .notFound
        case 401, 403, 407: .forbidden
        case 400...: .httpError
        default: nil
        }
    }

    /// A failure below HTTP; the engine words it by a status below 100, by its text, or not at all.
    private func transportCode(_ raw: RawEngineError) -> EngineError.Code? {
        if raw.isHostUnknown { return .hostNotFound }
        if raw.tlsProblem != nil { return .tlsFailed }
        switch raw.httpStatus {
        case 2, 3: return .hostNotFound
        case 4, 5: return isLoaded ? .connectionLost : .connectionRefused
        default: break
        }
        if raw.mentions("Connection refused") { return isLoaded ? .connectionLost : .connectionRefused }
        if raw.mentions("Error resolving") || raw.mentions("Cannot resolve") { return .hostNotFound }
        if raw.httpStatus != nil { return .connectionLost }
        guard raw.isGenericStreamFailure, missingDecoders.isEmpty else { return nil }
        if let lastRequest, lastRequest.status == nil { return isLoaded ? .connectionLost : .connectionRefused }
        // The source itself gave up, or data that was good so far came no more.
        guard lastRequest != nil, isLoaded || raw.mentions("GstSoupHTTPSrc") else { return nil }
        return .connectionLost
    }

    private func domainCode(_ raw: RawEngineError) -> EngineError.Code {
        switch raw.domain {
        case "gst-resource-error-quark": resourceCode(raw)
        case "gst-stream-error-quark" where raw.mentions("Could not fetch media playlist"): .invalidManifest
        case "gst-stream-error-quark": streamCode(raw)
        case "gst-core-error-quark" where missingDecoders.contains { $0.mediaType.hasPrefix("text/") }: .notMedia
        case "gst-core-error-quark": raw.mentions("URI") ? .unsupportedScheme : .engineFailure
        default: .engineFailure
        }
    }

    private func resourceCode(_ raw: RawEngineError) -> EngineError.Code {
        switch raw.code {
        case 3: .notFound
        case 5, 7, 15: .notReadable
        case 9: lastRequest == nil ? .notReadable : .connectionLost
        default: .engineFailure
        }
    }

    private func streamCode(_ raw: RawEngineError) -> EngineError.Code {
        switch raw.code {
        case 1: missingDecoders.isEmpty ? .corrupt : missingCode
        case 4: .notMedia
        case 5: raw.mentions("playlist") || raw.mentions("anifest") ? .invalidManifest : .notMedia
        case 6: missingCode
        case 7, 9, 11: raw.mentions("playlist") || raw.mentions("anifest") ? .invalidManifest : .corrupt
        case 12, 13: .encrypted
        default: .engineFailure
        }
    }

    /// What a stream without a decoder lacks.
    private var missingCode: EngineError.Code {
        missingDecoders.contains(where: \.isEncrypted) ? .encrypted : .missingCodec
    }

    private func detail(of raw: RawEngineError, as code: EngineError.Code) -> String {
        if code == .tlsFailed, let problem = raw.tlsProblem { return problem }
        if code == .missingCodec, let missing = missingDecoders.first { return missing.name }
        let text = raw.message.last == "." ? String(raw.message.dropLast()) : raw.message
        guard isLoaded, code == .notFound || code == .forbidden || code == .httpError else { return text }
        guard let refused, let status = refused.status, status == raw.httpStatus else {
            return "one of its parts: " + text
        }
        return "one of its parts: \(refused.url) is answered with status \(status)"
    }
}

extension RawEngineError {
    fileprivate var isGenericStreamFailure: Bool { domain == "gst-stream-error-quark" && code == 1 }

    fileprivate func mentions(_ text: String) -> Bool { message.contains(text) || debug.contains(text) }
}

/// An error as the engine words it.
package struct RawEngineError: Sendable, Equatable {
    /// The engine's error domain.
    package var domain: String
    /// The code within the domain.
    package var code: Int
    /// The status of the HTTP answer; below 100 it is a transport failure.
    package var httpStatus: Int?
    /// The engine's sentence.
    package var message: String
    /// The engine's technical text.
    package var debug: String
    /// Whether nobody knows the host of the item, as far as it was asked.
    package var isHostUnknown = false
    /// Why no secure connection can be made to the item's server, as far as that was asked.
    package var tlsProblem: String?
    /// What the item is refused as, with its reason as the message, though the engine said nothing.
    package var refusal: EngineError.Code?

    /// Creates an error.
    package init(domain: String, code: Int, httpStatus: Int? = nil, message: String = "", debug: String = "") {
        self.domain = domain
        self.code = code
        self.httpStatus = httpStatus
        self.message = message
        self.debug = debug
    }

    /// Creates what takes the place of an error that the engine would not survive.
    package init(refusal: EngineError.Code, _ reason: String) {
        self.init(domain: "gst-stream-error-quark", code: 5, message: reason)
        self.refusal = refusal
    }
}

/// A media type for which no decoder is installed.
package struct MissingDecoder: Sendable, Equatable {
    /// The media type, such as `video/x-vp9`.
    package var mediaType: String
    /// The name for people.
    package var name: String

    /// Names a media type.
    package init(mediaType: String, name: String) {
        self.mediaType = mediaType
        self.name = name
    }

    /// Whether what is missing is a key: the demuxers call a stream of Common Encryption so, whatever is in it.
    package var isEncrypted: Bool { ["application/x-cenc", "application/x-cbcs"].contains(mediaType) }
}
