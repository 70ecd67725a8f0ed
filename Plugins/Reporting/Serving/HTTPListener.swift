internal import CMicroHTTPD
internal import Glibc
package import PluginKit

/// A request: what it asks for, and the connection that it came by.
@safe package struct HTTPQuestion {
    /// libmicrohttpd's connection, which is there as long as the request is answered.
    package let connection: OpaquePointer
    /// `GET` ...
    package let method: String
    /// The path with its slashes, decoded, without the query.
    package let path: String

    /// A header's value.
    package func header(_ name: String) -> String? { unsafe Self.text(tally_http_header(connection, name)) }
    /// A parameter of the address.
    package func argument(_ name: String) -> String? { unsafe Self.text(tally_http_argument(connection, name)) }
    /// A cookie's value.
    package func cookie(_ name: String) -> String? { unsafe Self.text(tally_http_cookie(connection, name)) }

    private static func text(_ value: UnsafePointer<CChar>?) -> String? {
        unsafe value.map { unsafe String(cString: $0) }
    }
}

extension Admission.Request {
    /// What a request says; with `cookie`, the name of one, also what a browser keeps and shows in an address.
    package init(_ question: HTTPQuestion, cookie name: String? = nil) {
        self.init()
        method = question.method
        path = question.path
        host = question.header("Host")
        origin = question.header("Origin")
        authorization = question.header("Authorization")
        guard let name else { return }
        token = question.argument("token")
        cookie = question.cookie(name)
    }
}

/// Takes requests on a socket, on one thread of libmicrohttpd; what a request has behind its head is not looked at.
@safe package final class HTTPListener: @unchecked Sendable {
    /// Answers a request; nil closes its connection.
    ///
    /// Called on the listener's thread.
    package typealias Answering = (HTTPQuestion) -> Answer?

    private let answer: Answering
    private let cut: () -> Void
    private var daemon: OpaquePointer?

    /// Prepares to answer; `cut` is called when somebody did not read, or ask on, for too long.
    package init(answer: @escaping Answering, cut: @escaping () -> Void) {
        self.answer = answer
        self.cut = cut
    }

    /// Begins to answer on a socket, which it closes at its end.
    ///
    /// - Parameters:
    ///   - socket: where it listens.
    ///   - connections: how many connections there may be.
    ///   - timeout: how long one may be silent, s.
    /// - Throws: that the system has no more threads or descriptors.
    package func begin(on socket: ListeningSocket, connections: UInt32, timeout: Int) throws(ReporterFault) {
        // Its thread has the mask of this one: signals are the program's.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        unsafe daemon = tally_http_begin(
            socket.descriptor,
            connections,
            UInt32(timeout),
            { context, connection, path, name, _, _, uploaded, state in
                guard let context = unsafe context, let connection = unsafe connection, let state = unsafe state,
                    let path = unsafe path, let name = unsafe name
                else { return tally_http_no }
                let listener = unsafe Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
                let isFirst = unsafe state.pointee == nil
                unsafe state.pointee = context
                let method = unsafe String(cString: name)
                // The head has come; what a request has besides is not looked at.
                if isFirst, method == "GET" || method == "HEAD" { return tally_http_yes }
                if let uploaded = unsafe uploaded, unsafe uploaded.pointee > 0 {
                    unsafe uploaded.pointee = 0
                    return tally_http_yes
                }
                let question = unsafe HTTPQuestion(
                    connection: connection,
                    method: method,
                    path: String(cString: path)
                )
                return unsafe listener.answer(question)?.send(on: connection) ?? tally_http_no
            },
            { context, _, _, reason in
                guard let context = unsafe context, tally_http_is_timeout(reason) else { return }
                let listener = unsafe Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
                listener.cut()
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard unsafe daemon != nil else {
            close(socket.descriptor)
            throw ReporterFault("libmicrohttpd cannot begin: the system has no more threads or descriptors")
        }
    }

    /// Answers nobody any more, and closes all connections.
    package func end() {
        guard let running = unsafe daemon else { return }
        unsafe MHD_stop_daemon(running)
        unsafe daemon = nil
    }
}
