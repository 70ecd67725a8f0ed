internal import Glibc
package import TextEncoding

/// Requests to a collector on this machine, each by a connection of its own.
package struct CollectorConnection: Sendable {
    /// The collector's port.
    package let port: UInt16

    package init(port: UInt16) { self.port = port }

    /// What came back; nil when there was no answer.
    package struct Answer: Sendable {
        package let status: Int
        package let head: String
        package let body: JSONValue
        /// Up to which line all is safe.
        package var safe: UInt64? { body["safe"]?.int.map { UInt64($0) } }
    }

    /// Posts a body; `cutAt` ends the connection behind so many bytes of it, and is not answered.
    package func post(
        _ path: String,
        _ body: [UInt8],
        headers: String = "",
        cutAt: Int? = nil,
        method: String = "POST"
    ) -> Answer? {
        guard let descriptor = connect() else { return nil }
        defer { close(descriptor) }
        let lines = ["\(method) \(path) HTTP/1.1", "Host: x", "Connection: close", "Content-Length: \(body.count)"]
        let head = lines.joined(separator: "\r\n") + "\r\n\(headers)\r\n"
        var bytes = Array(head.utf8) + body
        if let cutAt { bytes.removeSubrange(min(bytes.count, head.utf8.count + cutAt)...) }
        guard send(bytes, descriptor), cutAt == nil else { return nil }
        return answer(descriptor)
    }

    /// Sends bytes and ends the connection, whatever they are answered with.
    package func send(_ bytes: [UInt8]) {
        guard let descriptor = connect() else { return }
        defer { close(descriptor) }
        _ = send(bytes, descriptor)
    }

    /// Gets a path as text.
    package func get(_ path: String) -> String? {
        guard let descriptor = connect() else { return nil }
        defer { close(descriptor) }
        guard send(Array("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8), descriptor) else {
            return nil
        }
        return text(descriptor).map { String($0.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? "") }
    }

    func connect() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // A limit that only ends a hang.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let done = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard done == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    func send(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let sent = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + done },
                    buffer.count - done,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard sent > 0 else { return false }
            done += sent
        }
        return true
    }

    private func text(_ descriptor: Int32) -> String? {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return got == 0 && !all.isEmpty ? String(decoding: all, as: UTF8.self) : nil }
            all.append(contentsOf: buffer[..<got])
        }
    }

    func answer(_ descriptor: Int32) -> Answer? {
        guard let text = text(descriptor), text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9).prefix(3))
        else { return nil }
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let body = parts.count > 1 ? parts[1] : ""
        return Answer(status: status, head: parts[0], body: (try? JSONParser().parse(body)) ?? .null)
    }
}
