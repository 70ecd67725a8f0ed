internal import Glibc

/// Memory out of which pieces are taken, in the large pages of the system where it has them.
///
/// A program that fills many megabytes for a moment spends much of its time on the first touch of each 4 KiB page; here
/// 2 MiB are had at once. Not thread-safe; the memory goes when the slab does.
@safe package final class MemorySlab {
    /// Bytes of a slab: one large page.
    package static let bytes = 2 * 1024 * 1024

    private let start: UnsafeMutableRawPointer
    private var used = 0

    /// Maps a slab; nil when the system has no memory.
    package init?() {
        // Twice as much as needed, of which what is aligned is kept.
        let mapped = unsafe mmap(nil, 2 * Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { return nil }
        let before = -Int(bitPattern: mapped) & (Self.bytes - 1)
        unsafe start = mapped + before
        if before > 0 { unsafe munmap(mapped, before) }
        unsafe munmap(start + Self.bytes, Self.bytes - before)
        unsafe madvise(start, Self.bytes, MADV_HUGEPAGE)
    }

    deinit {
        unsafe munmap(start, Self.bytes)
    }

    /// The next piece, aligned to 64 bytes; nil when so much is not left.
    package func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer? {
        let size = (count + 63) & ~63
        guard used + size <= Self.bytes else { return nil }
        defer { used += size }
        return unsafe UnsafeMutableRawBufferPointer(start: start + used, count: count)
    }
}
