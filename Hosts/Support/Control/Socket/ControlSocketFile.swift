internal import Glibc
internal import System

/// The file of a control socket: made for its owner alone, and removed when it is ours.
package enum ControlSocketFile {
    /// Why a socket cannot be made or reached.
    package enum Failure: Error, Equatable, Sendable {
        /// The path is longer than a socket's may be.
        case pathTooLong(path: String)
        /// Another program listens there.
        case inUse(path: String)
        /// Something else has this name.
        case notASocket(path: String)
        /// Nothing has this name.
        case missing(path: String)
        /// Nobody listens there any more.
        case dead(path: String)
        /// The system refuses.
        case system(path: String, code: Int32)

        /// What happened, where, and what to do.
        package var message: String {
            switch self {
            case .pathTooLong(let path):
                "\(path): the path of a control socket may have 107 bytes at most; choose a shorter one"
            case .inUse(let path):
                "\(path): another program listens on this control socket; end it, or choose another path"
            case .notASocket(let path):
                "\(path): this is no socket, and is left alone; remove it, or choose another path"
            case .missing(let path): "\(path): there is no control socket; start the program with --control \(path)"
            case .dead(let path):
                "\(path): nobody listens on this control socket any more; start the program with --control \(path)"
            case .system(let path, let code): "\(path): cannot use the control socket: \(SystemError.text(code))"
            }
        }

        /// How a program that needs the socket ends.
        package var exitCode: ExitCode {
            switch self {
            case .missing: .noInput
            case .dead: .unavailable
            default: .cannotCreate
            }
        }
    }

    /// Who a file is, so that it is only removed as long as it is the same.
    struct Identity: Equatable {
        let device: UInt
        let number: UInt
    }

    /// Makes the file with mode 0600 and listens; a file on which nobody listens is removed first.
    static func listen(_ path: String) throws(Failure) -> (descriptor: Int32, identity: Identity?) {
        var address = try address(path)
        try removeDead(path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
        guard descriptor >= 0 else { throw .system(path: path, code: errno) }
        // Before the file is there: it has this mode from its first moment, whatever the umask allows.
        fchmod(descriptor, 0o600)
        let bound = unsafe withSockaddr(&address) { unsafe bind(descriptor, $0, $1) }
        guard bound == 0, Glibc.listen(descriptor, 128) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EADDRINUSE ? .inUse(path: path) : .system(path: path, code: code)
        }
        return (descriptor, identity(path))
    }

    /// Connects to whoever listens.
    static func connect(_ path: String) throws(Failure) -> Int32 {
        var address = try address(path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(path: path, code: errno) }
        let connected = unsafe withSockaddr(&address) { unsafe Glibc.connect(descriptor, $0, $1) }
        guard connected == 0 else {
            let code = errno
            close(descriptor)
            switch code {
            case ENOENT: throw .missing(path: path)
            case ECONNREFUSED: throw .dead(path: path)
            default: throw .system(path: path, code: code)
            }
        }
        return descriptor
    }

    /// Removes the file when it is the one that was made.
    static func remove(_ path: String, _ made: Identity?) {
        if let made, identity(path) == made { _ = unsafe unlink(path) }
    }

    private static let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    private static func removeDead(_ path: String) throws(Failure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        do throws(Failure) {
            close(try connect(path))
        } catch .dead {
            _ = unsafe unlink(path)
            return
        } catch .missing {
            return
        }
        throw .inUse(path: path)
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }

    private static func address(_ path: String) throws(Failure) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room else { throw .pathTooLong(path: path) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in bytes.enumerated() { unsafe target[index] = byte }
        }
        return address
    }

    private static func withSockaddr(
        _ address: inout sockaddr_un,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe body(rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
