/// Reads one request after another from a connection.
struct RequestReader {
    /// What came.
    enum Outcome {
        case request(RecordedRequest)
        /// Bytes that are no request; the connection cannot go on after this status.
        case bad(status: Int)
        case closed
    }

    private static let headLimit = 65_536
    private static let bodyLimit = 64 * 1_048_576

    private let socket: Socket
    private var buffer: [UInt8] = []

    init(socket: Socket) {
        self.socket = socket
    }

    /// Waits for the next request with its body.
    mutating func next() -> Outcome {
        guard let end = headEnd() else {
            return buffer.count >= Self.headLimit ? .bad(status: 431) : .closed
        }
        guard var request = RequestHead.parse(buffer[..<end]) else {
            return .bad(status: 400)
        }
        buffer.removeFirst(end)
        guard request.header("transfer-encoding") == nil else {
            return .bad(status: 411)
        }
        guard let length = Int(request.header("content-length") ?? "0"), length >= 0 else {
            return .bad(status: 400)
        }
        guard length <= Self.bodyLimit else {
            return .bad(status: 413)
        }
        if length > buffer.count, request.header("expect")?.lowercased() == "100-continue" {
            _ = socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...])
        }
        while buffer.count < length {
            guard let bytes = socket.receive() else {
                return .closed
            }
            buffer.append(contentsOf: bytes)
        }
        request.body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        return .request(request)
    }

    /// Reads until the buffer has a whole head; nil when the stream ends or the head is too long.
    private mutating func headEnd() -> Int? {
        var searched = 0
        while true {
            if let end = blankLineEnd(from: searched) {
                return end
            }
            searched = max(buffer.count - 3, 0)
            guard buffer.count < Self.headLimit, let bytes = socket.receive() else {
                return nil
            }
            buffer.append(contentsOf: bytes)
        }
    }

    private func blankLineEnd(from start: Int) -> Int? {
        let blankLine = Array("\r\n\r\n".utf8)
        guard buffer.count >= start + 4 else {
            return nil
        }
        for index in start...(buffer.count - 4) where buffer[index..<index + 4].elementsEqual(blankLine) {
            return index + 4
        }
        return nil
    }
}
