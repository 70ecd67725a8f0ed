/// A request as it arrived.
package struct RecordedRequest: Sendable, Equatable {
    /// A header as it was written.
    package struct Header: Sendable, Equatable {
        /// The name as the client wrote it.
        package let name: String
        /// The value without the space around it.
        package let value: String

        /// Makes a header.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Which connection it came on, counted from 1 in the order of acceptance.
    package var connection = 0
    /// The method, such as `GET`.
    package let method: String
    /// The target as the client wrote it, with its query.
    package let target: String
    /// The decoded path without the query; empty when its escapes are broken.
    package let path: String
    /// The headers in the client's order.
    package let headers: [Header]
    /// The body, empty when there was none.
    package var body: [UInt8] = []
    /// Whether the client speaks HTTP/1.1 (and not 1.0).
    package let isVersion11: Bool

    /// The query without its question mark, as it was written; nil when there is none.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The body as text.
    package var text: String {
        String(decoding: body, as: UTF8.self)
    }

    /// Returns the value of the first header of that name in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the client lets the connection be used again.
    var keepsAlive: Bool {
        switch header("connection")?.lowercased() {
        case "close": false
        case "keep-alive": true
        default: isVersion11
        }
    }
}
