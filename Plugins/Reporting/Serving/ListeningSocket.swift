internal import Glibc
package import PluginKit

/// A socket that browsers and others connect to.
package struct ListeningSocket {
    /// Its descriptor; whoever has it closes it.
    package let descriptor: Int32
    /// The port.
    package let port: Int

    /// Begins to listen on an address of this machine.
    ///
    /// - Throws: why it cannot, and what to do.
    package init(_ address: String, port: Int) throws(ReporterFault) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address == "localhost" ? "127.0.0.1" : address, String(port), &hints, &list) == 0,
            let found = unsafe list
        else {
            throw ReporterFault(
                "cannot listen on '\(address)': it is no address; set \"listen\" to one, such as 127.0.0.1"
            )
        }
        defer { unsafe freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = unsafe socket(found.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw Self.fault(address, port, errno) }
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, 128) == 0
        else {
            let code = errno
            close(descriptor)
            throw Self.fault(address, port, code)
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor) ?? port
    }

    private static func port(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { return nil }
        // The port lies at the same place in both kinds of addresses.
        let port = unsafe withUnsafeBytes(of: &address) { unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        return Int(UInt16(bigEndian: port))
    }

    private static func fault(_ address: String, _ port: Int, _ code: Int32) -> ReporterFault {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        let advice =
            switch code {
            case EADDRINUSE: "another program has this port: set \"port\" to another one, or to 0 for any that is free"
            case EADDRNOTAVAIL: "set \"listen\" to an address of this machine"
            case EACCES: "ports below 1024 are for root: set \"port\" to a larger one"
            default: "set \"listen\" and \"port\" to others"
            }
        return ReporterFault("cannot listen on \(address), port \(port): \(reason) (errno \(code)); \(advice)")
    }
}
