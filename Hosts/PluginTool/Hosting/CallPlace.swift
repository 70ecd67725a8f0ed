internal import Glibc

/// The name of the call into the plugin that goes on, in memory that the process has in common with its copies.
///
/// So one that has died in a call still says in which.
@safe package struct CallPlace: Sendable {
    /// The one of this program.
    static let shared = CallPlace()

    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer?
    private static let size = 4096

    private init() {
        let memory = unsafe mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        unsafe self.memory = unsafe memory == MAP_FAILED ? nil : memory
    }

    /// Says that a call begins; an empty name that it has come back.
    func set(_ name: String) {
        guard let memory = unsafe memory else { return }
        let bytes = name.utf8.prefix(Self.size - 1)
        for (index, byte) in bytes.enumerated() {
            unsafe memory.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
        unsafe memory.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    }

    /// The call that was said last; empty when it had come back.
    var name: String {
        guard let memory = unsafe memory else { return "" }
        return unsafe String(cString: memory.assumingMemoryBound(to: UInt8.self))
    }
}
