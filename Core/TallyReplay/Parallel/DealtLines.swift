internal import Archive
internal import Reporting
internal import Synchronization
internal import System

/// The lines that one coordinator was dealt, archive by archive.
///
/// ``deal(_:)``, ``end()``, ``isDealt`` and ``done`` are for the thread that deals at the moment, all else is for the
/// coordinator's.
@safe final class DealtLines: LineFeed, @unchecked Sendable {
    /// Lines that were replayed, for a fair deal.
    let done = Atomic<Int>(0)
    /// Blocks with lines that were dealt and not passed.
    let waiting = Atomic<Int>(0)
    /// Called when a block was passed, on the coordinator's thread.
    var onBlock: (() -> Void)?
    /// Who deals more when all is replayed; it has these lines.
    weak var dealer: LineDealer?
    /// The archive that is being replayed.
    private(set) var archive: DealtArchive?
    /// Where that archive's lines begin among those of all archives.
    @safe @exclusivity(unchecked) private var base: UInt64 = 0
    /// Who reads the archive's lines: it holds this, and counting references at each output costs more than to ask.
    @safe @exclusivity(unchecked) private var reader: Unmanaged<ArchiveReader>?
    /// A place behind the archive's last line, once all of its runs are being closed.
    @safe @exclusivity(unchecked) private var placeOfEnd: UInt64?

    private struct Inbox {
        var blocks: [LineBlock] = []
        var hasEnded = false
    }

    /// Blocks after which outputs are handed to the merge, however few they are.
    private static let blocksTogether = 8

    /// Which of the coordinators it is, from 0.
    let number: Int
    private let pool: BlockPool
    private let lane: OutputLane?
    /// Up to where blocks were passed, and how many of them the merge does not know of.
    private var passed: (upTo: UInt64, unpublished: Int) = (0, 0)
    private let inbox = Lock(Inbox())
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
        if block.stretches.contains(where: { $0.coordinator == number }) { waiting.add(1, ordering: .relaxed) }
        inbox.with { $0.blocks.append(block) }
    }

    /// Nothing comes any more.
    func end() { inbox.with { $0.hasEnded = true } }

    /// Whether there is something to replay, or nothing comes any more.
    var isDealt: Bool { inbox.with { !$0.blocks.isEmpty || $0.hasEnded } }

    // MARK: - Replaying

    var path: String { archive?.path ?? "" }

    /// Where the last line stands among those of all archives.
    var position: UInt64 {
        if let placeOfEnd { return placeOfEnd }
        guard let reader else { return base }
        return unsafe base &+ UInt64(reader._withUnsafeGuaranteedRef { $0.lineNumber })
    }

    /// Calls `body` with a reader of the archive's lines, which is asked for the place meanwhile.
    func withReader<Failure: Error>(_ body: (ArchiveReader) throws(Failure) -> Void) throws(Failure) {
        let reader = ArchiveReader(self)
        self.reader = unsafe Unmanaged.passUnretained(reader)
        // What comes behind the reader's last line stands where that does.
        defer {
            base = position
            self.reader = nil
            withExtendedLifetime(reader) {}
        }
        try body(reader)
    }

    /// Goes back to lines of the archive that were put aside, which a reader has.
    func goBack(to reader: ArchiveReader) {
        self.reader = unsafe Unmanaged.passUnretained(reader)
        placeOfEnd = nil
    }

    /// Whether outputs of lines that were passed are still to come: the merge is not told that they were passed.
    var isHoldingBack = false

    /// Waits for the next archive; false behind the last one.
    func beginArchive() -> Bool {
        guard let block = nextBlock() else { return false }
        archive = block.archive
        base = block.archive.base
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
        if count > 0 { waiting.subtract(1, ordering: .relaxed) }
        passed = (end ?? block.position(block.lines), passed.unpublished + 1)
        if passed.unpublished >= Self.blocksTogether || lane?.isHalfFull == true {
            publish()
        }
        done.add(count, ordering: .relaxed)
        onBlock?()
        self.block = nil
        pool.release(block)
    }

    /// Hands to the merge what it does not know of yet.
    private func publish() {
        guard passed.unpublished > 0, !isHoldingBack else { return }
        lane?.publish(upTo: passed.upTo)
        passed.unpublished = 0
    }

    private func nextBlock() -> LineBlock? {
        dealer?.dealAhead(for: self)
        while taken.isEmpty {
            let (blocks, hasEnded) = inbox.with { inbox in
                defer { inbox.blocks.removeAll(keepingCapacity: true) }
                return (inbox.blocks, inbox.hasEnded)
            }
            taken = blocks[...]
            guard taken.isEmpty, !hasEnded, let dealer else { break }
            // It may have to wait now, and others for its outputs.
            publish()
            dealer.deal(for: self)
        }
        return taken.popFirst()
    }
}
