import Glibc
import TallyTesting
import Testing

/// Brings a beacon away as a reporter would: over a plain socket, with the secret that it names.
enum PostClient {
    /// Sends a beacon to 127.0.0.1 and gives the answer's status.
    static func post(_ beacon: FakeHost.Beacon, port: UInt16, key: String) throws -> Int {
        let path = beacon.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last.map { "/\($0)" }
        var head = "\(beacon.method) \(path ?? "/") HTTP/1.1\r\nHost: localhost\r\nApi-Key: \(key)\r\n"
        for header in beacon.headers { head += "\(header.name): \(header.value)\r\n" }
        head += "Content-Length: \(beacon.body.count)\r\nConnection: close\r\n\r\n"
        let answer = try exchange(Array(head.utf8) + beacon.body, port: port)
        let words = answer.split(separator: " ", maxSplits: 2)
        return try #require(words.count > 1 ? Int(words[1]) : nil)
    }

    private static func exchange(_ request: [UInt8], port: UInt16) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        try #require(result == 0)
        var sent = 0
        while sent < request.count {
            let count = unsafe request[sent...].withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            try #require(count > 0)
            sent += count
        }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            answer += piece.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
