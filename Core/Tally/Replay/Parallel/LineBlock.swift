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
        /// Where they lie, with their breaks.
        var bytes: Range<Int>
        /// Which of the block's lines they are, from 0.
        var lines: Range<Int>
    }

    /// Room for the piece of a line that the block before ended with, and for what is read.
    let memory: UnsafeMutableRawBufferPointer
    var archive: DealtArchive
    /// The number of its first line in the archive, from 1.
    var firstLine = 1
    /// Bytes of whole lines.
    var used = 0
    /// Lines that were dealt.
    private(set) var lines = 0
    private(set) var stretches: [Stretch] = []
    /// The place behind all of the archive, when this is its last block.
    var endOfArchive: UInt64?
    /// How many coordinators still have to pass it; guarded by the pool.
    var users = 0

    init(_ archive: DealtArchive) {
        self.archive = archive
        unsafe memory = .allocate(byteCount: ArchiveFormat.longestLine + 1 + Self.bytes, alignment: 64)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Lends the lines of a stretch.
    func lines(of stretch: Stretch) -> LineStretch {
        unsafe LineStretch(
            UnsafeRawBufferPointer(rebasing: memory[stretch.bytes.lowerBound..<used]),
            count: stretch.bytes.count,
            firstNumber: firstLine + stretch.lines.lowerBound
        )
    }

    /// Where a line stands among those of all archives.
    func position(_ index: Int) -> UInt64 {
        archive.base + UInt64(firstLine + index)
    }

    /// Gives the next lines, up to `end`, to a coordinator.
    func deal(_ count: Int, upTo end: Int, to coordinator: Int) {
        let begin = stretches.last?.bytes.upperBound ?? 0
        if let last = stretches.indices.last, stretches[last].coordinator == coordinator {
            stretches[last].bytes = stretches[last].bytes.lowerBound..<end
            stretches[last].lines = stretches[last].lines.lowerBound..<lines + count
        } else {
            stretches.append(Stretch(coordinator: coordinator, bytes: begin..<end, lines: lines..<lines + count))
        }
        lines += count
    }

    /// Empties it for the lines of an archive.
    func begin(_ archive: DealtArchive, firstLine: Int) {
        self.archive = archive
        self.firstLine = firstLine
        used = 0
        lines = 0
        stretches.removeAll(keepingCapacity: true)
        endOfArchive = nil
    }
}
