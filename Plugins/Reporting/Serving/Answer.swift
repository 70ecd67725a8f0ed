internal import CMicroHTTPD
internal import PluginKit

/// What is sent to whoever asks: a response of libmicrohttpd, which any number of connections may have at once.
@safe package final class Answer {
    /// What a browser may do with anything that is answered: show it, run its scripts, and ask for more.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    private static let headers: [(name: String, value: String)] = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ]

    /// The status that it is sent with.
    package let status: UInt32
    private let response: OpaquePointer

    /// Takes over a response that was made.
    package init?(
        status: UInt32 = 200,
        _ response: OpaquePointer?,
        type: String,
        _ more: [(name: String, value: String)] = []
    ) {
        guard let response = unsafe response else { return nil }
        self.status = status
        unsafe self.response = unsafe response
        for header in Self.headers + [("Content-Type", type)] + more {
            unsafe MHD_add_response_header(response, header.name, header.value)
        }
    }

    /// Bytes, which are copied.
    package convenience init?(
        status: UInt32 = 200,
        _ bytes: [UInt8],
        type: String,
        _ more: [(name: String, value: String)] = []
    ) {
        let made = unsafe bytes.withUnsafeBytes { unsafe tally_http_response($0.baseAddress, $0.count) }
        unsafe self.init(status: status, made, type: type, more)
    }

    /// A sentence for people.
    package static func text(_ status: UInt32, _ text: String, _ more: [(name: String, value: String)] = []) -> Answer?
    {
        Answer(status: status, Array((text + "\n").utf8), type: "text/plain; charset=utf-8", more)
    }

    deinit { unsafe MHD_destroy_response(response) }

    /// Gives it to a connection.
    func send(on connection: OpaquePointer) -> MHD_Result { unsafe MHD_queue_response(connection, status, response) }
}
