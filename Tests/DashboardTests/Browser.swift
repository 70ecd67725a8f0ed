import Glibc
import TextEncoding

/// A connection to a dashboard as a browser has it.
final class Browser {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of this machine; with `readsLittle` the machine keeps as little for it as it can.
    init(port: Int, readsLittle: Bool = false) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if readsLittle {
            var bytes: Int32 = 1
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        // Ends a test that would hang.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(status == 0, "nothing listens on port \(port)")
    }

    deinit { close(descriptor) }

    /// Sends a request as it is.
    func send(_ text: String) {
        var text = text
        text.withUTF8 { _ = unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Reads until the other side closes the connection.
    func readAll() -> [UInt8] {
        while receive() {}
        return received
    }

    /// Reads until a text has come; false when the other side closes the connection before.
    func read(until text: String) -> Bool {
        while received.firstRange(of: Array(text.utf8)) == nil { if !receive() { return false } }
        return true
    }

    /// Forgets what was read.
    func forget() { received = [] }

    private func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        received += chunk[..<count]
        return true
    }
}

/// What a dashboard answered.
struct BrowserAnswer {
    let status: Int
    /// The headers by their names in small letters; of several with one name the last one.
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONParser().parse(body)) ?? .null }

    init(_ bytes: [UInt8]) {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) ?? bytes.count..<bytes.count
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        self.headers = headers
        body = Array(bytes[end.upperBound...])
    }
}
