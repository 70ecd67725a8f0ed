import Glibc

/// A file in memory that can be sealed: from then on it does not grow, as on a disk that is full.
final class SealableFile {
    private let descriptor: Int32

    init() {
        // Swift's Glibc does not show memfd_create. 1 is MFD_CLOEXEC, 2 MFD_ALLOW_SEALING.
        let symbol = unsafe dlsym(nil, "memfd_create")
        let make = unsafe unsafeBitCast(
            symbol,
            to: Optional<@convention(c) (UnsafePointer<CChar>, UInt32) -> Int32>.self
        )
        descriptor = unsafe make?("archive", 1 | 2) ?? -1
        precondition(descriptor >= 0, "no file in memory can be made")
    }

    deinit {
        close(descriptor)
    }

    var path: String {
        "/proc/self/fd/\(descriptor)"
    }

    /// Complete lines so far.
    var lines: Int {
        FileBytes.of(path)?.count { $0 == 0x0A } ?? 0
    }

    func seal() {
        // F_ADD_SEALS with F_SEAL_GROW, which Glibc's module does not have as numbers.
        let sealed = fcntl(descriptor, 1033, 4)
        precondition(sealed == 0, "the file cannot be sealed")
    }
}
