internal import CLinux
internal import Glibc
internal import System

/// Memory that this process and a child map, in a file without a name whose size is fixed.
@safe final class SharedMemory {
    /// Where it lies here.
    let start: UnsafeMutableRawPointer
    /// How many bytes it has.
    let count: Int
    /// The file; open for as long as this lives.
    let descriptor: Int32

    /// Makes memory of zeros; with `isReadOnly` nobody can ever map it to write but who made it.
    init(_ name: String, bytes: Int, isReadOnly: Bool = false) throws(SystemFailure) {
        let descriptor = unsafe tally_shared_file(name, bytes)
        guard descriptor >= 0 else { throw SystemFailure() }
        guard let start = unsafe Self.map(descriptor, bytes, PROT_READ | PROT_WRITE),
            tally_seal_shared_file(descriptor, isReadOnly ? 1 : 0) == 0
        else {
            let failure = SystemFailure()
            close(descriptor)
            throw failure
        }
        unsafe self.start = unsafe start
        self.descriptor = descriptor
        count = bytes
    }

    /// Maps what another process made, whole.
    init(descriptor: Int32, isReadOnly: Bool) throws(SystemFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0,
            let start = unsafe Self.map(
                descriptor,
                Int(status.st_size),
                isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE
            )
        else { throw SystemFailure() }
        unsafe self.start = unsafe start
        self.descriptor = descriptor
        count = Int(status.st_size)
    }

    deinit {
        unsafe munmap(start, count)
        close(descriptor)
    }

    private static func map(_ descriptor: Int32, _ bytes: Int, _ access: Int32) -> UnsafeMutableRawPointer? {
        let mapped = unsafe mmap(nil, bytes, access, MAP_SHARED, descriptor, 0)
        return unsafe mapped == MAP_FAILED ? nil : mapped
    }
}
