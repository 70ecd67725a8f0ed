internal import Archive
internal import Coordinator
internal import Glibc
internal import Synchronization

/// Reads archives one after another and deals their lines to coordinators.
///
/// Used by one thread.
@safe final class LineDealer {
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
    /// Called between two blocks, when everything before a line was dealt.
    var onBlock: ((_ archive: Int, _ line: Int) -> Void)?

    private let pool: BlockPool
    private let feeds: [DealtLines]
    private let deal: RunDeal
    private let isStopped: @Sendable () -> Bool
    /// The piece of a line that the last block ended with.
    private var rest: [UInt8] = []
    private var line = 0
    private var bytes = 0
    private var base: UInt64
    /// Up to where all was dealt.
    private(set) var position: UInt64 = 0

    init(
        pool: BlockPool,
        feeds: [DealtLines],
        deal: RunDeal,
        isStopped: @escaping @Sendable () -> Bool
    ) {
        self.pool = pool
        self.feeds = feeds
        self.deal = deal
        self.isStopped = isStopped
        base = 0
    }

    /// Deals the archives from one on.
    func run(_ archives: [ReplayedArchive], from first: Int) {
        for index in archives.indices.dropFirst(first) {
            guard !isStopped() else { break }
            do throws(ArchiveSource.Failure) {
                let source = try archives[index].open()
                read(source, DealtArchive(index: index, path: source.path, base: base))
            } catch {
                outcome.failures.append((index, TelemetryError(error)))
            }
        }
        for feed in feeds { feed.end() }
    }

    private func read(_ source: ArchiveSource, _ archive: DealtArchive) {
        rest.removeAll(keepingCapacity: true)
        line = 0
        bytes = 0
        let headers = deal.headers
        var unusable = 0
        var isOpen = true
        while isOpen {
            let block = pool.take(archive, firstLine: line + 1)
            do throws(ArchiveSource.Failure) {
                isOpen = try fill(block, source)
            } catch {
                outcome.failures.append((archive.index, TelemetryError(error)))
                isOpen = false
            }
            let found = deal.deal(block)
            unusable += found.unusable
            if found.isLast { isOpen = false }
            line = block.firstLine + block.lines - 1
            if let problem = unread, !found.isLast { note(problem, archive) }
            unusable += unread == nil ? 0 : 1
            unread = nil
            if isStopped() { isOpen = false }
            if !isOpen {
                block.endOfArchive = block.archive.base + UInt64(line + 1)
                base = block.archive.base + 2 * UInt64(line + 1)
            }
            position = isOpen ? block.archive.base + UInt64(line + 1) : base
            block.users = feeds.count
            for feed in feeds { feed.deal(block) }
            if isOpen { onBlock?(archive.index, line) }
        }
        outcome.lines += line
        outcome.bytes += bytes
        if deal.headers == headers, unusable == 0, !outcome.failures.contains(where: { $0.archive == archive.index }) {
            outcome.hollow.append(archive.index)
        }
        if !isStopped() { onBlock?(archive.index + 1, 0) }
    }

    /// What is wrong with the line at the end of a block that is in none: it is too long, or cut off.
    private var unread: ArchiveLineProblem?
    private var isSkipping = false

    /// Reads until the block is full; false at the archive's end.
    private func fill(_ block: LineBlock, _ source: ArchiveSource) throws(ArchiveSource.Failure) -> Bool {
        unsafe rest.withUnsafeBytes { unsafe block.memory.copyMemory(from: $0) }
        var end = rest.count
        var atEnd = false
        let wanted = end + LineBlock.bytes
        while end < wanted, !atEnd {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: block.memory[end..<wanted])
            let got = unsafe try source.read(into: room)
            atEnd = got == 0
            bytes += got
            let searched = end
            end += got
            if isSkipping {
                // The rest of a line that was too long: what follows its break begins the block.
                guard let found = Self.lineBreak(block, searched, end) else {
                    end = 0
                    continue
                }
                unsafe block.memory.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: block.memory[found + 1..<end])
                )
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

    /// Notes what is wrong with the line behind all that was dealt.
    private func note(_ problem: ArchiveLineProblem, _ archive: DealtArchive) {
        line += 1
        let damage = ArchiveReader.Damage(path: archive.path, line: line, problem: problem)
        outcome.damage.append((archive.base + UInt64(line), damage.description))
    }

    private static func lineBreak(_ block: LineBlock, _ start: Int, _ end: Int) -> Int? {
        guard start < end, let memory = unsafe block.memory.baseAddress,
            let found = unsafe memchr(memory + start, 0x0A, end - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(memory)
    }
}
