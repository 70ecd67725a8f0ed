internal import ChildPrograms
internal import Glibc

/// Ports of 127.0.0.1.
package enum FreePort {
    /// How often a server is started on ports that were free, until it has them.
    static let tries = 5

    /// A port that nobody listens on now.
    package static func find() -> UInt16 {
        var address = Self.address(0)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe bind(descriptor, address, length)
                _ = unsafe getsockname(descriptor, address, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until a program listens on a port; false when it ends before, for example because another one took the port.
    static func waitForListener(on port: UInt16, _ program: ChildProgram) async -> Bool {
        let isDecided = await eventually { isListening(port) || program.state != .running }
        return isDecided && program.state == .running
    }

    private static func isListening(_ port: UInt16) -> Bool {
        var address = Self.address(port)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
