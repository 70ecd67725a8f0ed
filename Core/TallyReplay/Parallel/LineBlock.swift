internal import Archive
internal import System

/// An archive while its lines are dealt.
final class DealtArchive: Sendable {
    /// Its place among all archives.
    let index: Int
    let path: String
    /// Where its lines begin among those of all archives: line N stands at `base + N`.
    let base: UInt64
    /// Whether it lies in an ordinary file.
    let isFile: Bool

    init(index: Int, path: String, base: UInt64, isFile: Bool) {
        self.index = index
        self.path = path
        self.base = base
        self.isFile = isFile
    }
}

/// Some lines of one archive, read at once, and which coordinator each is for.
@safe final class LineBlock: @unchecked Sendable {
    /// Bytes that are read at once.
    static let bytes = 128 * 1024

    /// Lines that follow each other and are for the same coordinator.
    struct Stretch {
        let coordinator: Int
        /// Where they lie, with their breaks.
        var bytes: Range<Int>
        /// Which of the block's lines they are, from 0.
        var lines: Range<Int>
    }

    /// Bytes of a line that the block before ended with, for which there is room without more memory.
    static let ordinaryRest = 8 * 1024

    /// Room for the piece of a line that the block before ended with, and for what is read.
    private(set) var memory: UnsafeMutableRawBufferPointer
    private let slab: MemorySlab?
    /// The memory that the block began with, of the slab or its own.
    private let ordinary: UnsafeMutableRawBufferPointer
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

    private static let size = bytes + ordinaryRest

    /// A block in a slab; nil when it has no room.
    init?(_ archive: DealtArchive, in slab: MemorySlab?) {
        guard let slab, let piece = unsafe slab.allocate(Self.size) else { return nil }
        self.archive = archive
        self.slab = slab
        unsafe ordinary = unsafe piece
        unsafe memory = ordinary
    }

    /// A block in memory of its own.
    init(_ archive: DealtArchive) {
        self.archive = archive
        slab = nil
        unsafe ordinary = .allocate(byteCount: Self.size, alignment: 64)
        unsafe memory = ordinary
    }

    deinit {
        returnToOrdinaryMemory()
        if slab == nil { unsafe ordinary.deallocate() }
    }

    /// Makes room for a long rest of a line before what is read.
    func makeRoom(rest: Int) {
        returnToOrdinaryMemory()
        if rest > Self.ordinaryRest { unsafe memory = .allocate(byteCount: Self.bytes + rest, alignment: 64) }
    }

    private func returnToOrdinaryMemory() {
        if unsafe memory.baseAddress != ordinary.baseAddress { unsafe memory.deallocate() }
        unsafe memory = ordinary
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
    func position(_ index: Int) -> UInt64 { archive.base + UInt64(firstLine + index) }

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
