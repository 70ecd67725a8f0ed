import Glibc

/// Memory that ends where an unreadable page begins: reading one byte too many ends the process.
@safe final class GuardedMemory {
    private let pages: UnsafeMutableRawPointer
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// The bytes, just before the unreadable page.
    let start: UnsafeMutableRawPointer

    /// Copies the first bytes of a structure and writes their number into its size member.
    init<Structure>(_ structure: Structure, size: Int) throws {
        let memory = unsafe mmap(nil, 2 * Self.pageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw GuardedMemoryError() }
        unsafe pages = unsafe memory
        unsafe start = unsafe memory + Self.pageSize - size
        unsafe withUnsafeBytes(of: structure) {
            unsafe start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: size)
        }
        unsafe start.storeBytes(of: UInt32(size), as: UInt32.self)
        guard unsafe mprotect(memory + Self.pageSize, Self.pageSize, PROT_NONE) == 0 else { throw GuardedMemoryError() }
    }

    deinit {
        unsafe munmap(pages, 2 * Self.pageSize)
    }

    /// The bytes as the structure that they are the beginning of.
    func pointer<Structure>(to type: Structure.Type) -> UnsafePointer<Structure> {
        unsafe UnsafePointer(start.assumingMemoryBound(to: type))
    }
}

/// The system gave no memory.
struct GuardedMemoryError: Error {}
