import ChildPrograms
import Glibc
import HostSupport
import TestFiles
import TextEncoding

/// A control socket whose commands are answered with their own text, in a folder of its own.
final class ServedSocket {
    let path: String
    let server: ControlServer
    let queue: ControlQueue
    /// Where the socket is.
    let folder = TemporaryFolder()

    init(limits: ControlLimits = ControlLimits(), tap: OutputTap? = nil, slow: Bool = false) throws {
        path = folder.file("socket")
        queue = ControlQueue { command in
            if slow { usleep(1000) }
            return .success(["echo": .string("\(command)")])
        }
        server = try ControlServer(path: path, limits: limits, queue: queue, tap: tap)
    }

    deinit {
        queue.close()
        server.close()
    }

    /// A client, raw: bytes out, bytes in.
    func connect() throws -> RawClient {
        try RawClient(path)
    }

    /// Waits until the statistics are as they are to be; false when they never come to it.
    func wait(for isSo: (ControlServer.Statistics) -> Bool) -> Bool {
        blocked { isSo(server.statistics) }
    }
}

/// A connection that sends and reads whatever a test wants.
final class RawClient {
    enum Failure: Error {
        case refused(Int32)
        case closed
        case silent
    }

    let descriptor: Int32
    private var input: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in path.utf8.enumerated() { unsafe target[index] = byte }
        }
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe Glibc.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if connected != 0 { throw Failure.refused(errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all bytes; false when the other side is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// No more is sent; what is on its way is still read.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next line; throws when none comes, or the other side ends.
    func line() throws -> JSONValue {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                defer { input.removeFirst(end + 1) }
                return try JSONParser().parse(Array(input[..<end]))
            }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let limit = Int32(hangLimit.components.seconds * 1_000)
            guard unsafe poll(&request, 1, limit) > 0 else { throw Failure.silent }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw Failure.closed }
            input += chunk[..<count]
        }
    }
}
