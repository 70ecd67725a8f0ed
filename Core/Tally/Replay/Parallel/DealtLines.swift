internal import Archive
internal import Coordinator
internal import Synchronization

/// The lines that one coordinator was dealt, archive by archive.
///
/// ``deal(_:)``, ``end()`` and ``done`` are for the thread that deals, all else is for the coordinator's.
@safe final class DealtLines: LineFeed, InputPlace, @unchecked Sendable {
    /// Lines that were replayed, for a fair deal.
    let done = Atomic<Int>(0)
    /// Called when a block was passed, on the coordinator's thread.
    var onBlock: (() -> Void)?
    /// The archive that is being replayed.
    private(set) var archive: DealtArchive?
    /// Who reads the archive's lines.
    @safe @exclusivity(unchecked) var reader: ArchiveReader?
    /// A place behind the archive's last line, once all of its runs are being closed.
    @safe @exclusivity(unchecked) private var placeOfEnd: UInt64?

    private struct Inbox {
        var blocks: [LineBlock] = []
        var hasEnded = false
    }

    private let number: Int
    private let pool: BlockPool
    private let lane: OutputLane?
    private let inbox = Condition(Inbox())
    private var taken: ArraySlice<LineBlock> = []
    @safe @exclusivity(unchecked) private var block: LineBlock?
    @safe @exclusivity(unchecked) private var stretch = 0

    init(number: Int, pool: BlockPool, lane: OutputLane?) {
        self.number = number
        self.pool = pool
        self.lane = lane
    }

    // MARK: - Dealing

    /// Adds a block, also one that has nothing for this coordinator.
    func deal(_ block: LineBlock) {
        inbox.change { $0.blocks.append(block) }
    }

    /// Nothing comes any more.
    func end() {
        inbox.change { $0.hasEnded = true }
    }

    // MARK: - Replaying

    var path: String { archive?.path ?? "" }

    /// Where the last line stands among those of all archives.
    var position: UInt64 {
        placeOfEnd ?? (archive?.base ?? 0) + UInt64(reader?.lineNumber ?? 0)
    }

    /// Waits for the next archive; false behind the last one.
    func beginArchive() -> Bool {
        guard let block = nextBlock() else { return false }
        archive = block.archive
        reader = nil
        placeOfEnd = nil
        begin(block)
        return true
    }

    func next() -> LineStretch? {
        while let block {
            while stretch < block.stretches.count {
                let found = block.stretches[stretch]
                stretch += 1
                if found.coordinator == number { return block.lines(of: found) }
            }
            guard block.endOfArchive == nil else { return nil }
            pass(block)
            if let next = nextBlock() { begin(next) }
        }
        return nil
    }

    /// Goes to where the archive's end stands, for a run that began at a place and is still open.
    func goToEnd(ofRunBegunAt begin: UInt64) {
        guard let end = block?.endOfArchive, let archive else { return }
        placeOfEnd = end + (begin - archive.base)
    }

    /// Passes over what is left of the archive.
    func endArchive() {
        while let block {
            if let end = block.endOfArchive, let archive {
                pass(block, upTo: end + (end - archive.base))
                return
            }
            pass(block)
            if let next = nextBlock() { begin(next) }
        }
    }

    private func begin(_ block: LineBlock) {
        self.block = block
        stretch = 0
    }

    private func pass(_ block: LineBlock, upTo end: UInt64? = nil) {
        let count = block.stretches.reduce(0) { $1.coordinator == number ? $0 + $1.lines.count : $0 }
        lane?.publish(upTo: end ?? block.position(block.lines))
        done.add(count, ordering: .relaxed)
        onBlock?()
        self.block = nil
        pool.release(block)
    }

    private func nextBlock() -> LineBlock? {
        if taken.isEmpty {
            taken =
                inbox.wait(until: nil) { inbox -> ArraySlice<LineBlock>? in
                    guard inbox.blocks.isEmpty else {
                        defer { inbox.blocks.removeAll(keepingCapacity: true) }
                        return inbox.blocks[...]
                    }
                    return inbox.hasEnded ? [] : nil
                } ?? []
        }
        return taken.popFirst()
    }
}
