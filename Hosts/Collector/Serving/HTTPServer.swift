internal import CMicroHTTPD
internal import Glibc
internal import System

/// What answers requests, on any of the server's threads.
package protocol HTTPHandler: AnyObject, Sendable {
    /// Answers a request by `exchange`, now or later.
    func answer(_ request: HTTPRequest, _ exchange: HTTPExchange)

    /// The answer to a body that is longer than the limit.
    func tooLong(limit: Int) -> HTTPAnswer

    /// The answer to a body that there is no memory for at the moment.
    func noRoom() -> HTTPAnswer
}

/// Answers HTTP requests on one address.
@safe package final class HTTPServer: @unchecked Sendable {
    /// What a server may use.
    package struct Options: Sendable {
        /// How many threads there are.
        package var threads: UInt32 = 2
        /// How many connections there may be.
        package var connections: UInt32 = 30_000
        /// How long a connection may do nothing, s.
        package var seconds: UInt32 = 30
        /// The longest body, bytes.
        package var bodyBytes = 1024 * 1024
        /// How many bytes bodies may have together that are still coming.
        package var roomBytes = 256 * 1024 * 1024
        /// PEM text of a private key and of its certificate chain; nil is plain HTTP.
        package var tls: TLS?

        package init() {}
    }

    /// A key and its certificate.
    package struct TLS: Sendable {
        package let key: String
        package let certificate: String

        package init(key: String, certificate: String) {
            self.key = key
            self.certificate = certificate
        }
    }

    /// Why a server cannot be.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// Whether it is the key or the certificate that cannot be used, and not the address.
        package var isOfTLS = false
        package let description: String
    }

    let options: Options
    /// Memory of bodies that are still coming.
    package let room: BodyRoom
    let handler: any HTTPHandler
    /// The address and port that it listens on.
    package let place: String
    private var daemon: OpaquePointer?

    /// Begins to answer on `address` and `port`; 0 chooses a port.
    package init(
        _ address: String,
        port: Int,
        _ handler: any HTTPHandler,
        _ options: Options
    ) throws(Failure) {
        self.options = options
        room = BodyRoom(limit: options.roomBytes)
        self.handler = handler
        let (socket, bound) = try Self.listen(address, port)
        place = address.contains(":") ? "[\(address)]:\(bound)" : "\(address):\(bound)"
        try begin(on: socket)
    }

    /// Begins to answer on a Unix socket, which the same user may connect to.
    package init(path: String, _ handler: any HTTPHandler, _ options: Options) throws(Failure) {
        self.options = options
        room = BodyRoom(limit: options.roomBytes)
        self.handler = handler
        place = path
        try begin(on: Self.listen(path: path))
    }

    private func begin(on socket: Int32) throws(Failure) {
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe daemon = tally_http_begin_pool(
            socket,
            options.threads,
            options.connections,
            options.seconds,
            options.tls?.key,
            options.tls?.certificate,
            { context, connection, path, method, _, bytes, count, state in
                guard let context = unsafe context, let connection = unsafe connection, let state = unsafe state,
                    let path = unsafe path, let method = unsafe method, let count = unsafe count
                else { return tally_http_no }
                let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
                guard let known = unsafe state.pointee else {
                    let exchange = unsafe HTTPExchange(connection, server)
                    unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
                    return tally_http_yes
                }
                let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
                let arrived = unsafe UnsafeRawBufferPointer(start: bytes, count: count.pointee)
                unsafe count.pointee = 0
                return unsafe exchange.advance(String(cString: method), String(cString: path), arrived)
            },
            { _, _, state, _ in
                guard let state = unsafe state, let known = unsafe state.pointee else { return }
                unsafe Unmanaged<HTTPExchange>.fromOpaque(known).release()
                unsafe state.pointee = nil
            },
            context
        )
        guard unsafe daemon != nil else {
            close(socket)
            let isOfTLS = options.tls != nil
            let reason = isOfTLS ? "the key or certificate cannot be used" : "no more threads or descriptors"
            throw Failure(isOfTLS: isOfTLS, description: "\(place): cannot begin to answer: \(reason)")
        }
    }

    /// How many connections there are.
    package var connectionCount: Int { unsafe Int(tally_http_connections(daemon)) }

    /// Takes no connection any more; those that there are go on.
    package func endAccepting() {
        let socket = unsafe MHD_quiesce_daemon(daemon)
        if socket >= 0 { close(socket) }
    }

    /// Ends all connections; no request may wait for its answer.
    package func end() {
        unsafe MHD_stop_daemon(daemon)
        unsafe daemon = nil
    }

    // MARK: - Sockets

    /// Whether a text is an address: no name that stands for one.
    package static func isAddress(_ text: String) -> Bool {
        guard let found = unsafe resolve(text, 0) else { return false }
        unsafe freeaddrinfo(found)
        return true
    }

    /// What the system makes of an address, which is the caller's to free; nil when it is none.
    private static func resolve(_ address: String, _ port: Int) -> UnsafeMutablePointer<addrinfo>? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        return unsafe getaddrinfo(address, String(port), &hints, &found) == 0 ? found : nil
    }

    private static func listen(_ address: String, _ port: Int) throws(Failure) -> (Int32, Int) {
        let what = "\(address) port \(port)"
        guard let first = unsafe resolve(address, port) else {
            throw Failure(description: "\(address) is no address: give one of this machine, such as 127.0.0.1 or ::")
        }
        defer { unsafe freeaddrinfo(first) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = unsafe socket(first.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw failure(what) }
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, 4096) == 0
        else {
            let reason = failure(what)
            close(descriptor)
            throw reason
        }
        var bound = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let got = unsafe withUnsafeMutablePointer(to: &bound) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        // The port stands at the same place in both families' addresses.
        let number = unsafe withUnsafeBytes(of: &bound) {
            Int(UInt16(bigEndian: unsafe $0.load(fromByteOffset: 2, as: UInt16.self)))
        }
        return (descriptor, got == 0 ? number : port)
    }

    private static func listen(path: String) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure(description: "\(path): the path of a socket has at most 107 bytes")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw failure(path) }
        guard !isTaken(path, &address) else {
            close(descriptor)
            throw Failure(description: "cannot listen on \(path): another program does; choose another with --socket")
        }
        unlinkSocket(path)
        let mask = umask(0o077)
        let done = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        umask(mask)
        guard done == 0, Glibc.listen(descriptor, 1024) == 0 else {
            let reason = failure(path)
            close(descriptor)
            throw reason
        }
        return descriptor
    }

    /// Whether somebody listens on a socket.
    private static func isTaken(_ path: String, _ address: inout sockaddr_un) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Removes a socket that a process left behind, and nothing else.
    private static func unlinkSocket(_ path: String) {
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unsafe unlink(path) }
    }

    private static func failure(_ what: String) -> Failure {
        let number = errno
        let advice =
            number == EADDRINUSE
            ? ": another program has it; choose another with --listen"
            : ""
        return Failure(description: "cannot listen on \(what): \(SystemError.text(number))\(advice)")
    }
}
