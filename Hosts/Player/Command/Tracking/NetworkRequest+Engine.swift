internal import PlaybackEngine
internal import Tally

extension NetworkRequest {
    /// What the engine tells of a request.
    init(_ request: EngineRequest) {
        self.init()
        url = request.url
        host = request.url.firstRange(of: "://").map { scheme in
            String(request.url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        }
        type = Self.type(request)
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
