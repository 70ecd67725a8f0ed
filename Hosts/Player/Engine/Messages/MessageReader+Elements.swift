import CGStreamer

extension MessageReader {
    /// The messages that elements define themselves.
    func element(_ message: UnsafeMutablePointer<GstMessage>) -> EngineSignal? {
        guard let structure = unsafe gst_message_get_structure(message) else { return nil }
        let reader = unsafe GStructureReader(structure)
        switch reader.name {
        case "missing-plugin":
            let mediaType = reader.mediaType("detail") ?? ""
            return .missingDecoder(mediaType: mediaType, name: reader.string("name") ?? mediaType)
        case "http-headers":
            return .request(request(reader))
        case "adaptive-streaming-statistics":
            guard let bitrate = reader.integer("bitrate") else { return nil }
            return .variantChosen(bitrate: bitrate)
        default:
            return nil
        }
    }

    private func request(_ reader: GStructureReader) -> EngineRequest {
        var request = EngineRequest(url: reader.string("uri") ?? "")
        // A number below 100 is no answer of a server but a failure of the connection.
        request.status = reader.integer("http-status-code").flatMap { $0 >= 100 ? Int($0) : nil }
        let headers = reader.structure("response-headers")
        request.contentLength = headers?.string("Content-Length").flatMap { Int64($0) }
        request.contentType = headers?.string("Content-Type")
        return request
    }
}
