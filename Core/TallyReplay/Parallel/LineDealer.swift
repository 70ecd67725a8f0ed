internal import Archive
internal import Glibc
internal import Setup
internal import Synchronization
internal import System

/// Reads archives one after another and deals their lines to coordinators.
///
/// The coordinators' threads do so themselves, one at a time, whenever one of them has nothing left: what it reads it
/// mostly replays as well, while it is in its processor's cache, and no thread has to be woken for it. The one that
/// dealt last may deal more before the others have nothing left, and so goes on dealing: nobody waits, and the memory
/// of a decompressor stays in one processor's cache. That lets coordinators drift apart.
@safe final class LineDealer: @unchecked Sendable {
    /// What became of the archives.
    struct Outcome {
        var failures: [(archive: Int, error: TelemetryError)] = []
        /// Archives without any player run, in which nothing was damaged either.
        var hollow: [Int] = []
        var lines = 0
        var bytes = 0
        /// Damage that no coordinator sees, with where it stands.
        var damage: [(position: UInt64, text: String)] = []
    }

    private(set) var outcome = Outcome()
    /// Called before a block is dealt, when everything before a line was.
    var onBlock: ((_ archive: Int, _ line: Int) -> Void)?

    /// An archive that is being read.
    private struct Reading {
        let source: ArchiveSource
        let archive: DealtArchive
        /// Headers that were seen before it.
        let headers: Int
        var hasOtherLines = false
        var line = 0
        var bytes = 0
    }

    private let pool: BlockPool
    private let feeds: [DealtLines]
    private let deal: RunDeal
    private let archives: [ReplayedArchive]
    private let resumed: ReplayCheckpoint?
    private let isStopped: @Sendable () -> Bool
    /// Blocks that each coordinator is to have before it; 0 deals when one has none.
    private let ahead: Int
    /// Whether that pays at the moment, with this archive.
    private let mayDealAhead: (ArchiveSource) -> Bool

    private struct Turn {
        var isTaken = false
        /// The coordinator that deals, or was the last to do so.
        var dealer: Int?
    }

    private let turn = Condition(Turn())
    /// The archive that comes next.
    private var next: Int
    private var reading: Reading?
    private var hasEnded = false
    /// The piece of a line that the last block ended with.
    private var rest: [UInt8] = []
    private var base: UInt64 = 0
    /// Up to where all was dealt.
    private(set) var position: UInt64 = 0

    /// Deals the archives, from the one on at which an earlier process came to its end.
    init(
        _ archives: [ReplayedArchive],
        resuming resumed: ReplayCheckpoint?,
        pool: BlockPool,
        feeds: [DealtLines],
        deal: RunDeal,
        ahead: Int,
        mayDealAhead: @escaping (ArchiveSource) -> Bool,
        isStopped: @escaping @Sendable () -> Bool
    ) {
        self.archives = archives
        self.resumed = resumed
        next = resumed?.archive ?? 0
        self.pool = pool
        self.feeds = feeds
        self.deal = deal
        self.ahead = ahead
        self.mayDealAhead = mayDealAhead
        self.isStopped = isStopped
    }

    /// Deals a block, or says that nothing comes any more, unless another thread has just done so for these lines.
    ///
    /// The caller has to have passed all that was dealt to it.
    func deal(for lines: DealtLines) {
        // Who deals may wait until all that it dealt to the others was passed, so nobody who has lines waits for his
        // turn.
        let isNext = turn.wait(until: nil) { turn -> Bool? in
            if lines.isDealt { return false }
            if turn.isTaken { return nil }
            turn = Turn(isTaken: true, dealer: lines.number)
            return true
        }
        guard isNext == true else { return }
        dealBlock()
        turn.change { $0.isTaken = false }
    }

    /// Deals blocks while some coordinator has too few before it, when these lines' one was the last to deal.
    func dealAhead(for lines: DealtLines) {
        var goesOn = ahead > 0
        while goesOn, feeds.contains(where: { $0.waiting.load(ordering: .relaxed) < ahead }) {
            let isNext = turn.with { turn in
                guard !turn.isTaken, turn.dealer == lines.number else { return false }
                turn.isTaken = true
                return true
            }
            guard isNext else { return }
            // Who waited for room here would wait for what it has to pass itself, and who waited for a pipe would keep
            // back what is there.
            goesOn = pool.hasRoom && reading.map { $0.source.isFile && mayDealAhead($0.source) } == true
            if goesOn { dealBlock() }
            turn.change { $0.isTaken = false }
        }
    }

    private func dealBlock() {
        if !hasEnded, !isStopped() {
            if let reading {
                onBlock?(reading.archive.index, reading.line)
            } else if next > 0 {
                onBlock?(next, 0)
            }
        }
        while reading == nil {
            guard next < archives.count, !isStopped() else {
                hasEnded = true
                for feed in feeds { feed.end() }
                return
            }
            open()
        }
        guard var now = reading else { return }
        reading = nil
        if dealNext(of: &now) {
            reading = now
        } else {
            end(now)
        }
    }

    private func open() {
        defer { next += 1 }
        do throws(ArchiveSource.Failure) {
            let source = try archives[next].open()
            let archive = DealtArchive(index: next, path: source.path, base: base, isFile: source.isFile)
            rest.removeAll(keepingCapacity: true)
            deal.beginArchive()
            reading = Reading(source: source, archive: archive, headers: deal.headers)
        } catch {
            outcome.failures.append((next, TelemetryError(error)))
        }
    }

    /// Reads a block and deals it; false when it was the archive's last.
    private func dealNext(of now: inout Reading) -> Bool {
        let archive = now.archive
        let block = pool.block(of: archive, firstLine: now.line + 1)
        var isOpen = false
        do throws(ArchiveSource.Failure) {
            isOpen = try fill(block, &now)
        } catch {
            outcome.failures.append((archive.index, TelemetryError(error)))
        }
        let found = deal.deal(block)
        now.hasOtherLines = now.hasOtherLines || found.hasOthers
        if found.isLast { isOpen = false }
        now.line = block.firstLine + block.lines - 1
        if let problem = unread, !found.isLast {
            // The line behind all that was dealt.
            now.line += 1
            if resumed?.isAhead(ofArchive: archive.index, line: now.line - 1) != true {
                let damage = ArchiveReader.Damage(path: archive.path, line: now.line, problem: problem)
                outcome.damage.append((archive.base + UInt64(now.line), damage.description))
            }
        }
        unread = nil
        if isStopped() { isOpen = false }
        let end = archive.base + UInt64(now.line + 1)
        if !isOpen {
            block.endOfArchive = end
            base = archive.base + 2 * UInt64(now.line + 1)
        }
        position = isOpen ? end : base
        block.users = feeds.count
        for feed in feeds { feed.deal(block) }
        return isOpen
    }

    private func end(_ now: Reading) {
        outcome.lines += now.line
        outcome.bytes += now.bytes
        let index = now.archive.index
        if deal.headers == now.headers, !now.hasOtherLines, !outcome.failures.contains(where: { $0.archive == index }) {
            outcome.hollow.append(index)
        }
    }

    /// What is wrong with the line at the end of a block that is in none: it is too long, or cut off.
    private var unread: ArchiveLineProblem?
    private var isSkipping = false

    /// Reads until a block is full; false at the archive's end.
    private func fill(_ block: LineBlock, _ now: inout Reading) throws(ArchiveSource.Failure) -> Bool {
        block.makeRoom(rest: rest.count)
        unsafe rest.withUnsafeBytes { unsafe block.memory.copyMemory(from: $0) }
        var end = rest.count
        var atEnd = false
        let wanted = end + LineBlock.bytes
        while end < wanted, !atEnd {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block.memory[end..<wanted])
            let got = unsafe try now.source.read(into: room)
            atEnd = got == 0
            now.bytes += got
            let searched = end
            end += got
            if isSkipping {
                // The rest of a line that was too long: what follows its break begins the block.
                guard let found = Self.lineBreak(block, searched, end) else {
                    end = 0
                    continue
                }
                unsafe block.memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.memory[found + 1..<end]))
                end -= found + 1
                isSkipping = false
            }
        }
        // Behind the last break.
        var start = end
        while start > 0, unsafe block.memory[start - 1] != 0x0A { start -= 1 }
        block.used = start
        rest.removeAll(keepingCapacity: true)
        let isTooLong = end - start > ArchiveFormat.longestLine
        if isTooLong || atEnd && end > start {
            unread = isTooLong ? .tooLong : .cutOff
            isSkipping = !atEnd
        } else {
            unsafe rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: block.memory[start..<end]))
        }
        if atEnd { isSkipping = false }
        return !atEnd
    }

    private static func lineBreak(_ block: LineBlock, _ start: Int, _ end: Int) -> Int? {
        guard start < end, let memory = unsafe block.memory.baseAddress,
            let found = unsafe memchr(memory + start, 0x0A, end - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(memory)
    }
}
