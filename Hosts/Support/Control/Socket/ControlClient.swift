internal import Glibc
internal import System
internal import TextEncoding

/// Talks to a control socket: one thread, one message at a time.
package final class ControlClient {
    /// Why there is no reply.
    package enum Failure: Error, Equatable, Sendable {
        /// The socket cannot be reached.
        case socket(ControlSocketFile.Failure)
        /// No line came in time, ms.
        case timedOut(path: String, limit: Int64)
        /// The program on the other side has ended.
        case closed(path: String)
        /// What came is no JSON.
        case notJSON(path: String)

        /// What happened and what to do.
        package var message: String {
            switch self {
            case .socket(let failure): failure.message
            case .timedOut(let path, let limit):
                "\(path): no reply within \(Double(limit) / 1000) s; try again with a longer --timeout"
            case .closed(let path): "\(path): the program has ended, or sent this client away"
            case .notJSON(let path): "\(path): what answers is no control socket of Tally's"
            }
        }

        /// How a client ends then.
        package var exitCode: ExitCode {
            switch self {
            case .socket(let failure): failure.exitCode == .noInput ? .noInput : .unavailable
            case .timedOut, .closed: .unavailable
            case .notJSON: .badData
            }
        }
    }

    private let path: String
    private let descriptor: Int32
    private var input: [UInt8] = []
    private var nextID: Int64 = 1

    /// Connects.
    package init(path: String) throws(Failure) {
        self.path = path
        do throws(ControlSocketFile.Failure) {
            descriptor = try ControlSocketFile.connect(path)
        } catch {
            throw .socket(error)
        }
    }

    deinit { close(descriptor) }

    /// Gives a command and waits for its reply; lines of a tap that come before it go to `onLine`.
    package func perform(
        _ words: [String],
        limit: Int64,
        onLine: (String) -> Void = { _ in }
    ) throws(Failure) -> ControlReply {
        let id = nextID
        nextID += 1
        let request: JSONValue = ["command": .array(words.map { .string($0) }), "request_id": .int(id)]
        try send(request.canonicalText + "\n")
        let deadline = SystemTime.monotonic() + limit * 1000
        while true {
            let line = try line(until: deadline, limit)
            guard let value = try? JSONParser().parse(line) else { throw .notJSON(path: path) }
            guard let reply = ControlReply(line: value) else {
                onLine(line)
                continue
            }
            // A reply without a number concerns the connection as a whole.
            if value["request_id"] == nil || value["request_id"]?.int == id { return reply }
        }
    }

    /// Waits for the next line of a tap, at most until `deadline`, us; nil waits for ever.
    package func nextLine() throws(Failure) -> String {
        try line(until: nil, 0)
    }

    /// Sends text as it is.
    package func send(_ text: String) throws(Failure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                throw .closed(path: path)
            }
        }
    }

    private func line(until deadline: Int64?, _ limit: Int64) throws(Failure) -> String {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                defer { input.removeFirst(end + 1) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let rest = deadline.map { max(0, ($0 - SystemTime.monotonic() + 999) / 1000) } ?? -1
            let ready = unsafe poll(&request, 1, Int32(clamping: rest))
            if ready == 0 { throw .timedOut(path: path, limit: limit) }
            if ready < 0 { continue }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .closed(path: path) }
            input += chunk[..<count]
        }
    }
}
