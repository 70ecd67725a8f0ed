import Glibc

/// A client that shows what comes over the wire, without the leniency of a real one.
final class RawClient {
    enum Failure: Error {
        case noConnection(Int32)
        case noAnswer(String)
    }

    struct Reply {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]
        /// Whether the server closed the connection before the promised end of the body.
        let isCut: Bool
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // A server that never answers fails the test instead of blocking it.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard result == 0 else {
            throw Failure.noConnection(errno)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends text as it is.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends a request without a body and reads the answer.
    func request(_ method: String, _ target: String, _ headers: String...) throws -> Reply {
        send("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(headers.map { $0 + "\r\n" }.joined())\r\n")
        return try reply(withBody: method != "HEAD")
    }

    /// Reads one answer.
    func reply(withBody: Bool = true) throws -> Reply {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
            guard let byte = next() else {
                throw Failure.noAnswer(String(decoding: head, as: UTF8.self))
            }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            headers[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2))
        }
        let length = withBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0
        while buffer.count < length, fill() {}
        let body = Array(buffer.prefix(length))
        buffer.removeFirst(body.count)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return Reply(status: status ?? 0, headers: headers, body: body, isCut: body.count < length)
    }

    /// Waits until the given number of bytes has come beside those that were read.
    func waitForBytes(_ count: Int) -> [UInt8] {
        while buffer.count < count, fill() {}
        return buffer
    }

    /// Returns whether more bytes or the end of the stream come within the time.
    func hasNews(withinMilliseconds limit: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, limit) > 0
    }

    private func next() -> UInt8? {
        guard !buffer.isEmpty || fill() else {
            return nil
        }
        return buffer.removeFirst()
    }

    private func fill() -> Bool {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
            count = max(unsafe recv(descriptor, space.baseAddress, space.count, 0), 0)
        }
        buffer += bytes
        return !bytes.isEmpty
    }
}
