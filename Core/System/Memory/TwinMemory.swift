internal import CLinux
internal import Glibc

/// Memory that is written at one address and can only be read at another.
///
/// Not thread-safe; the memory goes when the object does.
@safe package final class TwinMemory {
    /// Where it is written.
    package let start: UnsafeMutableRawPointer
    /// Where it is read; the same address where the system gives no second one.
    package let readOnly: UnsafeRawPointer
    private let bytes: Int

    /// Maps so many bytes, rounded up to pages; zeros at first.
    package init(bytes: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        self.bytes = (bytes + page - 1) / page * page
        (unsafe start, unsafe readOnly) = unsafe Self.map(self.bytes)
    }

    deinit {
        unsafe munmap(start, bytes)
        guard unsafe readOnly != UnsafeRawPointer(start) else { return }
        unsafe munmap(UnsafeMutableRawPointer(mutating: readOnly), bytes)
    }

    private static func map(_ bytes: Int) -> (UnsafeMutableRawPointer, UnsafeRawPointer) {
        let file = unsafe tally_memory_file("tally-lent", bytes)
        defer { if file >= 0 { close(file) } }
        if file >= 0, let start = unsafe map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file) {
            if let readOnly = unsafe map(bytes, PROT_READ, MAP_SHARED, file) {
                return unsafe (start, UnsafeRawPointer(readOnly))
            }
            unsafe munmap(start, bytes)
        }
        guard let start = unsafe map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1) else {
            preconditionFailure("no memory of \(bytes) bytes: error \(errno)")
        }
        return unsafe (start, UnsafeRawPointer(start))
    }

    private static func map(_ bytes: Int, _ access: Int32, _ kind: Int32, _ file: Int32) -> UnsafeMutableRawPointer? {
        let mapped = unsafe mmap(nil, bytes, access, kind, file, 0)
        return unsafe mapped == MAP_FAILED ? nil : mapped
    }
}
