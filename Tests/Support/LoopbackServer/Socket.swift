import Glibc

/// A connected or listening TCP socket, closed with its last reference.
final class Socket: Sendable {
    /// `POLLRDHUP`, which the C library hides behind a feature macro.
    private static let peerClosed: Int16 = 0x2000

    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a socket that listens on 127.0.0.1, on a free port when the port is 0.
    static func listen(port: UInt16) throws(ServerError) -> (socket: Socket, port: UInt16) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw .cannotListen(port: port, code: errno)
        }
        let socket = Socket(descriptor: descriptor)
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard unsafe bind(descriptor, generic, length) == 0, Glibc.listen(descriptor, 128) == 0,
                    unsafe getsockname(descriptor, generic, &length) == 0
                else {
                    return errno
                }
                return 0
            }
        }
        guard code == 0 else {
            throw .cannotListen(port: port, code: code)
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a client; nil once the socket was shut down.
    func accept() -> Socket? {
        while true {
            let client = Glibc.accept(descriptor, nil, nil)
            if client >= 0 {
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                let socket = Socket(descriptor: client)
                socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
                return socket
            }
            switch errno {
            case EINTR, ECONNABORTED:
                continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // The process is short of descriptors or memory: clients wait in the backlog until some are free.
                usleep(20_000)
            default:
                return nil
            }
        }
    }

    /// Reads what has arrived, at most 16 KB; nil at the end of the stream and after an error.
    func receive() -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
            var received: Int
            repeat {
                received = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            } while received < 0 && errno == EINTR
            count = max(received, 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Sends all bytes and returns whether the client's side took them.
    func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
                // Without this flag a client that has gone would end the whole process with SIGPIPE.
                let count = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if count >= 0 {
                    sent += count
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Waits until the client closes its side or the socket is shut down.
    func waitForClose() {
        var entry = pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)
        while unsafe poll(&entry, 1, -1) < 0 && errno == EINTR {}
    }

    /// Ends both directions: every call that waits on this socket returns.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends both directions with a reset, as a host that refuses to talk does.
    func reset() {
        // Connecting to no family dissolves the connection at once, also when another process has a copy of it.
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        unsafe connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
