internal import Archive
internal import Coordinator
internal import Synchronization

/// The lines that one coordinator was dealt, archive by archive.
///
/// ``deal(_:)``, ``end()`` and ``done`` are for the thread that deals, all else is for the coordinator's.
@safe final class DealtLines: LineFeed, @unchecked Sendable {
    /// Lines that were replayed, for a fair deal.
    let done = Atomic<Int>(0)
    /// Called when a block was passed, on the coordinator's thread.
    var onBlock: (() -> Void)?
    /// The archive that is being replayed.
    private(set) var archive: DealtArchive?
    /// Where the last line stands among those of all archives.
    @safe @exclusivity(unchecked) private(set) var position: UInt64 = 0

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
    @safe @exclusivity(unchecked) private var lines = 0..<0

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

    /// Waits for the next archive; false behind the last one.
    func beginArchive() -> Bool {
        guard let block = nextBlock() else { return false }
        archive = block.archive
        begin(block)
        return true
    }

    func next() -> (bytes: UnsafeRawBufferPointer, number: Int)? {
        while let block {
            if let line = lines.first {
                lines = lines.dropFirst()
                position = block.position(line)
                lane?.go(to: position)
                return unsafe (block.line(line), block.firstLine + line)
            }
            if findStretch(block) { continue }
            guard block.endOfArchive == nil else { return nil }
            pass(block)
            if let next = nextBlock() { begin(next) }
        }
        return nil
    }

    func peek() -> UnsafeRawBufferPointer? {
        guard let block, let line = lines.first else { return nil }
        return unsafe block.rest(from: line)
    }

    /// Goes to where the archive's end stands, for a run that began at a place and is still open.
    func goToEnd(ofRunBegunAt begin: UInt64) {
        guard let end = block?.endOfArchive, let archive else { return }
        position = end + (begin - archive.base)
        lane?.go(to: position)
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
        lines = 0..<0
    }

    private func findStretch(_ block: LineBlock) -> Bool {
        while stretch < block.stretches.count {
            let found = block.stretches[stretch]
            stretch += 1
            if found.coordinator == number {
                lines = found.lines
                return true
            }
        }
        return false
    }

    private func pass(_ block: LineBlock, upTo end: UInt64? = nil) {
        let count = block.stretches.reduce(0) { $1.coordinator == number ? $0 + $1.lines.count : $0 }
        lane?.publish(upTo: end ?? block.position(block.ends.count))
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
