internal import Archive

/// An archive while its lines are dealt.
final class DealtArchive: Sendable {
    /// Its place among all archives.
    let index: Int
    let path: String
    /// Where its lines begin among those of all archives: line N stands at `base + N`.
    let base: UInt64

    init(index: Int, path: String, base: UInt64) {
        self.index = index
        self.path = path
        self.base = base
    }
}

/// Some lines of one archive, read at once, and which coordinator each is for.
@safe final class LineBlock: @unchecked Sendable {
    /// Bytes that are read at once.
    static let bytes = 256 * 1024

    /// Lines that follow each other and are for the same coordinator.
    struct Stretch {
        let coordinator: Int
        var lines: Range<Int>
    }

    /// Room for the piece of a line that the block before ended with, and for what is read.
    let memory: UnsafeMutableRawBufferPointer
    var archive: DealtArchive
    /// The number of its first line in the archive, from 1.
    var firstLine = 1
    /// Where the lines end; each begins behind the break of the one before.
    var ends: [UInt32] = []
    var stretches: [Stretch] = []
    /// The place behind all of the archive, when this is its last block.
    var endOfArchive: UInt64?
    /// How many coordinators still have to pass it; guarded by the pool.
    var users = 0

    init(_ archive: DealtArchive) {
        self.archive = archive
        unsafe memory = .allocate(byteCount: ArchiveFormat.longestLine + 1 + Self.bytes, alignment: 64)
        ends.reserveCapacity(4096)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The bytes of a line without its break.
    @inline(__always)
    func line(_ index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : Int(ends[index - 1]) + 1
        return unsafe UnsafeRawBufferPointer(rebasing: memory[start..<Int(ends[index])])
    }

    /// The bytes from a line's first to the last line's break.
    @inline(__always)
    func rest(from index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : Int(ends[index - 1]) + 1
        return unsafe UnsafeRawBufferPointer(rebasing: memory[start...Int(ends[ends.count - 1])])
    }

    /// Where a line stands among those of all archives.
    func position(_ index: Int) -> UInt64 {
        archive.base + UInt64(firstLine + index)
    }

    /// Gives a line to a coordinator.
    @inline(__always)
    func deal(_ index: Int, to coordinator: Int) {
        if let last = stretches.indices.last, stretches[last].coordinator == coordinator {
            stretches[last].lines = stretches[last].lines.lowerBound..<index + 1
        } else {
            stretches.append(Stretch(coordinator: coordinator, lines: index..<index + 1))
        }
    }

    /// Empties it for the lines of an archive.
    func begin(_ archive: DealtArchive, firstLine: Int) {
        self.archive = archive
        self.firstLine = firstLine
        ends.removeAll(keepingCapacity: true)
        stretches.removeAll(keepingCapacity: true)
        endOfArchive = nil
    }
}
