import Glibc
import System

/// What a client gets from this process.
package enum LocalAnswer: Equatable, Sendable {
    /// A body.
    case bytes([UInt8])
    /// It is to ask there, now and later.
    case moved(to: String)
}

/// Answers requests that are led here instead of to a server, on 127.0.0.1 and under names that nobody can guess.
///
/// One thread answers one request after another, with a limit for each, from the first use to the end of the process.
final class LocalAnswers: Sendable {
    /// The one of the process; nil when it cannot listen.
    static let shared: LocalAnswers? = LocalAnswers()

    /// How many answers are kept; the oldest go.
    private static let limit = 64
    private static let secondsForClient = 2
    private static let longestRequest = 16_384

    private struct State {
        var answers: [(path: String, answer: LocalAnswer)] = []
        var count = 0
    }

    private let listener: Int32
    private let origin: String
    private let secret: String
    private let state = Lock(State())

    /// Where the one of the process listens, as soon as it does.
    private static let known = Lock<String?>(nil)

    private init?() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { return nil }
        guard let port = Self.listen(listener) else {
            close(listener)
            return nil
        }
        self.listener = listener
        origin = "http://127.0.0.1:\(port)/"
        var random = SystemRandomNumberGenerator()
        secret = String(random.next() as UInt64, radix: 36) + String(random.next() as UInt64, radix: 36)
        Self.known.with { [origin] in $0 = origin }
        _ = Thread(name: "tally-answers") { [self] in serve() }
    }

    private static func listen(_ listener: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(listener, generic, length) == 0 && Glibc.listen(listener, 16) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        return isListening ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// The address under which an answer is given from now on; the same answer has the same one.
    func address(of answer: LocalAnswer) -> String {
        state.with { state in
            if let index = state.answers.firstIndex(where: { $0.answer == answer }) {
                let known = state.answers.remove(at: index)
                state.answers.append(known)
                return origin + known.path.dropFirst()
            }
            state.count += 1
            let path = "/\(secret)/\(state.count)"
            state.answers.append((path, answer))
            if state.answers.count > Self.limit { state.answers.removeFirst() }
            return origin + path.dropFirst()
        }
    }

    /// Whether an address is one of these; nothing listens because of the question.
    static func isKnown(_ address: String) -> Bool {
        known.with { $0.map(address.hasPrefix) ?? false }
    }

    private func serve() {
        while true {
            let client = accept(listener, nil, nil)
            if client >= 0 {
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                reply(to: client)
                close(client)
            } else if errno != EINTR, errno != ECONNABORTED {
                // Descriptors or memory may be short; the request waits.
                usleep(20_000)
            }
        }
    }

    private func reply(to client: Int32) {
        var limit = timeval(tv_sec: Self.secondsForClient, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(client, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard let path = Self.path(readFrom: client) else { return }
        let answer = state.with { state in state.answers.last { $0.path == path }?.answer }
        switch answer {
        case .bytes(let bytes):
            Self.send("200 OK", ["Content-Type: application/octet-stream"], bytes, to: client)
        case .moved(let place): Self.send("301 Moved Permanently", ["Location: \(place)"], [], to: client)
        case nil: Self.send("404 Not Found", [], [], to: client)
        }
    }

    /// The path of a GET request, once all of its head is here.
    private static func path(readFrom client: Int32) -> String? {
        var head: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while !head.contains(subsequence: Array("\r\n\r\n".utf8)) {
            let count = unsafe part.withUnsafeMutableBytes { unsafe recv(client, $0.baseAddress, $0.count, 0) }
            guard count > 0, head.count + count <= longestRequest else { return nil }
            head += part[..<count]
        }
        let words = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: " ")
        return words.count == 3 && words[0] == "GET" ? String(words[1]) : nil
    }

    private static func send(_ status: String, _ headers: [String], _ body: [UInt8], to client: Int32) {
        let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "Connection: close", "", ""]
        let bytes = Array(lines.joined(separator: "\r\n").utf8) + body
        unsafe bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = unsafe Glibc.send(client, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                sent += count
            }
        }
        shutdown(client, Int32(SHUT_WR))
    }
}

extension Array where Element: Equatable {
    fileprivate func contains(subsequence: [Element]) -> Bool {
        indices.dropLast(subsequence.count - 1).contains { self[$0...].starts(with: subsequence) }
    }
}
