internal import Glibc

/// A post whose body is sent in two parts, with any time between them.
package final class StartedPost: Sendable {
    private let connection: CollectorConnection
    private let descriptor: Int32
    private let rest: [UInt8]

    /// Sends a request up to `count` bytes of its body; nil when there is no connection.
    package init?(_ connection: CollectorConnection, _ path: String, _ body: [UInt8], count: Int) {
        guard let descriptor = connection.connect() else { return nil }
        self.connection = connection
        self.descriptor = descriptor
        rest = Array(body.dropFirst(count))
        let lines = ["POST \(path) HTTP/1.1", "Host: x", "Connection: close", "Content-Length: \(body.count)", "", ""]
        guard connection.send(Array(lines.joined(separator: "\r\n").utf8) + body.prefix(count), descriptor) else {
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Sends the rest, and waits for the answer.
    package func finish() -> CollectorConnection.Answer? {
        connection.send(rest, descriptor) ? connection.answer(descriptor) : nil
    }
}
