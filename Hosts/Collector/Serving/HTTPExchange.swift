internal import CMicroHTTPD
internal import CZlib
internal import Glibc
internal import System

/// A request with its whole body.
@safe package struct HTTPRequest {
    /// `GET`, `POST` and so on.
    package let method: String
    /// The path without its query, decoded.
    package let path: String
    /// The body, unpacked.
    package let body: [UInt8]
    /// The address that the connection comes from: 4 or 16 bytes, none for a Unix socket.
    package let peer: [UInt8]
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer, method: String, path: String, body: [UInt8]) {
        unsafe self.connection = unsafe connection
        self.method = method
        self.path = path
        self.body = body
        peer = unsafe Self.peer(of: connection)
    }

    private static func peer(of connection: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe tally_http_peer(connection, &bytes)
        return Array(bytes.prefix(count))
    }

    /// A header by its name in any case; to be asked for while the request is answered.
    package func header(_ name: String) -> String? {
        unsafe tally_http_header(connection, name).map { unsafe String(cString: $0) }
    }

    /// A parameter of the query, decoded.
    package func parameter(_ name: String) -> String? {
        unsafe tally_http_argument(connection, name).map { unsafe String(cString: $0) }
    }
}

/// What a client gets.
package struct HTTPAnswer: Sendable, Equatable {
    /// The status.
    package var status: UInt32
    /// The body.
    package var body: [UInt8]
    /// Its media type.
    package var type: String
    /// Further headers.
    package var headers: [Header] = []

    /// A header.
    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package init(_ status: UInt32, _ text: String = "", type: String = "application/json") {
        self.status = status
        body = Array(text.utf8)
        self.type = type
    }

    /// The answer with a header more.
    package func with(_ name: String, _ value: String) -> HTTPAnswer {
        var answer = self
        answer.headers.append(Header(name: name, value: value))
        return answer
    }
}

/// One request on its way: its body as it comes, then its answer.
///
/// The answer may come on any thread; until then the connection waits without one.
@safe package final class HTTPExchange: @unchecked Sendable {
    private enum Stage {
        case receiving
        case waiting
        case answered
    }

    private struct State {
        var answer: HTTPAnswer?
        var isSuspended = false
    }

    // Used on the connection's thread alone.
    private var stage = Stage.receiving
    private var body: [UInt8] = []
    private var received = 0
    /// Bytes of the room that all bodies share.
    private var roomBytes = 0
    private var isGivenUp = false
    private let server: HTTPServer
    private let connection: OpaquePointer
    private let state = Lock(State())

    init(_ connection: OpaquePointer, _ server: HTTPServer) {
        unsafe self.connection = unsafe connection
        self.server = server
    }

    deinit { server.room.giveBack(roomBytes) }

    /// Whether an answer was given.
    package var isAnswered: Bool { state.with { $0.answer != nil } }

    /// Gives the answer; the first one counts.
    package func send(_ answer: HTTPAnswer) {
        let wakes = state.with { state -> Bool in
            guard state.answer == nil else { return false }
            state.answer = answer
            return state.isSuspended
        }
        if wakes { unsafe MHD_resume_connection(connection) }
    }

    /// Goes on with what has come; false ends the connection.
    func advance(_ method: String, _ path: String, _ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        if bytes.count > 0 {
            received += bytes.count
            unsafe keep(bytes)
            // Who sends far more than is taken gets no answer.
            return received > 8 * server.options.bodyBytes + 65_536 ? tally_http_no : tally_http_yes
        }
        if stage == .receiving {
            stage = .waiting
            begin(method, path)
            let isReady = state.with { state in
                if state.answer == nil {
                    state.isSuspended = true
                    unsafe MHD_suspend_connection(connection)
                }
                return state.answer != nil
            }
            guard isReady else { return tally_http_yes }
        }
        guard stage != .answered, let answer = state.with({ $0.answer }) else { return tally_http_yes }
        stage = .answered
        return queue(answer)
    }

    /// Keeps bytes of the body, unless it is too long or there is no room: it is then read to its end, and not kept.
    private func keep(_ bytes: UnsafeRawBufferPointer) {
        guard !isGivenUp, received <= server.options.bodyBytes else { return giveUpBody() }
        guard server.room.grow(from: roomBytes, by: bytes.count) else {
            isGivenUp = true
            return giveUpBody()
        }
        roomBytes += bytes.count
        unsafe body.append(contentsOf: bytes)
    }

    private func giveUpBody() {
        body = []
        server.room.giveBack(roomBytes)
        roomBytes = 0
    }

    private func begin(_ method: String, _ path: String) {
        let plain: [UInt8]
        let body = body
        giveUpBody()
        if isGivenUp { return send(server.handler.noRoom()) }
        if received > server.options.bodyBytes {
            return send(server.handler.tooLong(limit: server.options.bodyBytes))
        }
        let encoding = unsafe tally_http_header(connection, "Content-Encoding").map { unsafe String(cString: $0) }
        switch encoding?.lowercased() {
        case nil, "identity": plain = body
        case "gzip":
            switch Self.unpacked(body, limit: server.options.bodyBytes) {
            case .plain(let unpacked): plain = unpacked
            case .tooLong: return send(server.handler.tooLong(limit: server.options.bodyBytes))
            case .damaged: return send(HTTPAnswer(400, "{\"error\":\"the body is no gzip, or is damaged\"}"))
            }
        default: return send(HTTPAnswer(415, "{\"error\":\"bodies are plain, or packed by gzip\"}"))
        }
        unsafe server.handler.answer(HTTPRequest(connection, method: method, path: path, body: plain), self)
    }

    private func queue(_ answer: HTTPAnswer) -> MHD_Result {
        let made = unsafe answer.body.withUnsafeBytes { unsafe tally_http_response($0.baseAddress, $0.count) }
        guard let response = unsafe made else { return tally_http_no }
        defer { unsafe MHD_destroy_response(response) }
        if !answer.body.isEmpty { unsafe MHD_add_response_header(response, "Content-Type", answer.type) }
        unsafe MHD_add_response_header(response, "X-Content-Type-Options", "nosniff")
        let isScript = answer.type.hasPrefix("text/javascript")
        unsafe MHD_add_response_header(response, "Cache-Control", isScript ? "public, max-age=3600" : "no-store")
        for header in answer.headers { unsafe MHD_add_response_header(response, header.name, header.value) }
        return unsafe MHD_queue_response(connection, answer.status, response)
    }

    /// What a packed body is.
    private enum UnpackedBody {
        case plain([UInt8])
        case tooLong
        case damaged
    }

    /// Unpacks gzip, `limit` bytes at most.
    private static func unpacked(_ bytes: [UInt8], limit: Int) -> UnpackedBody {
        var stream = unsafe z_stream()
        guard unsafe tally_gunzip_begin(&stream) == Z_OK else { return .damaged }
        defer { unsafe inflateEnd(&stream) }
        var plain = [UInt8](repeating: 0, count: limit + 1)
        var source = bytes
        let (result, count) = unsafe source.withUnsafeMutableBufferPointer { input in
            unsafe plain.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                let result = unsafe inflate(&stream, Z_FINISH)
                return unsafe (result, output.count - Int(stream.avail_out))
            }
        }
        guard count <= limit else { return .tooLong }
        guard result == Z_STREAM_END else { return .damaged }
        plain.removeSubrange(count...)
        return .plain(plain)
    }
}
