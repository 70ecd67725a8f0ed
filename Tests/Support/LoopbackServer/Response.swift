/// An answer before it is sent.
struct Response {
    /// Where the body's bytes come from.
    enum Body {
        case bytes([UInt8])
        case file(ServedFile, Range<Int>)
    }

    let status: Int
    var headers: [(name: String, value: String)]
    let body: Body
    /// Whether the body goes in chunks, of which the head does not say how long they are together.
    var isChunked = false
    /// How long the head says that the body is; as long as it is unless this says otherwise.
    private var promised: Int?

    /// A status with a short text.
    init(status: Int, headers: [(name: String, value: String)] = []) {
        let hasNoBody = status == 204 || status == 304
        self.status = status
        self.headers = headers
        body = .bytes(hasNoBody ? [] : Array("\(status) \(Self.reason(status))\n".utf8))
        if !hasNoBody {
            self.headers.append(("Content-Type", "text/plain; charset=utf-8"))
        }
    }

    /// An empty success, the answer to a POST.
    static func accepted() -> Response {
        Response(status: 200, headers: [], body: .bytes([]))
    }

    /// What a service answers.
    init(_ answer: PostAnswer) {
        let headers = [("Content-Type", answer.contentType)]
        self.init(status: answer.status, headers: headers, body: .bytes(Array(answer.body.utf8)))
    }

    /// A file or the part of it that the request asks for.
    init(file: ServedFile, rangeHeader: String?) {
        switch ByteRange(header: rangeHeader, size: file.size) {
        case .whole:
            self.init(
                status: 200,
                headers: [("Content-Type", file.contentType), ("Accept-Ranges", "bytes")],
                body: .file(file, 0..<file.size)
            )
        case .part(let range):
            let part = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            self.init(
                status: 206,
                headers: [
                    ("Content-Type", file.contentType), ("Accept-Ranges", "bytes"), ("Content-Range", part),
                ],
                body: .file(file, range)
            )
        case .unsatisfiable:
            self.init(status: 416, headers: [("Content-Range", "bytes */\(file.size)")])
        }
    }

    private init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Says what faults make a server say.
    mutating func change(by faults: Faults) {
        if let seconds = faults.retryAfterSeconds { headers.append(("Retry-After", "\(seconds)")) }
        if let type = faults.contentType {
            headers.removeAll { $0.name == "Content-Type" }
            headers.append(("Content-Type", type))
        }
        promised = faults.contentLength
        isChunked = faults.isChunked
    }

    /// The offsets in the resource that the body covers.
    var span: Range<Int> {
        switch body {
        case .bytes(let bytes): bytes.indices
        case .file(_, let range): range
        }
    }

    /// The head as it goes over the wire.
    func head(keepsAlive: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
        for header in headers {
            text += "\(header.name): \(header.value)\r\n"
        }
        if isChunked {
            text += "Transfer-Encoding: chunked\r\n"
        } else if status != 204 && status != 304 {
            text += "Content-Length: \(promised ?? span.count)\r\n"
        }
        text += "Cache-Control: no-store\r\nConnection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
        return Array(text.utf8)
    }

    /// Bytes of the body as they go over the wire.
    func framed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard isChunked else { return bytes }
        return (Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))[...]
    }

    /// Returns bytes of the body by their offsets in the resource.
    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        switch body {
        case .bytes(let bytes): bytes[offset..<offset + count]
        case .file(let file, _): file.read(at: offset, count: count)[...]
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 206: "Partial Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Status \(status)"
        }
    }
}

extension Faults {
    /// What is answered in place of the resource; nil when the resource is.
    var replacement: Response? {
        if let redirectsTo { return Response(status: status ?? 302, headers: [("Location", redirectsTo)]) }
        return status.map { Response(status: $0) }
    }
}
