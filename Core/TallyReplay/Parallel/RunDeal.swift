internal import Archive
internal import CLinux
internal import Coordinator
internal import EventModel
internal import PluginABI
internal import Synchronization
internal import System

/// Says which coordinator a line is for: whole runs are dealt out, each to the one with the least to do.
@safe final class RunDeal {
    /// What a line means for the archive that it is in.
    enum Finding {
        /// A line of a run whose header was seen, or a header.
        case ofRun
        /// A line that cannot be read, as what is no archive has; a coordinator tells what is wrong with it.
        case unreadable
        /// A line of a run without a header.
        case ofNoRun
        /// A line behind which the archive is not read on: a newer version wrote it.
        case last
    }

    /// Lines that were dealt to each coordinator.
    private(set) var dealt: [Int]
    /// Headers that were seen.
    private(set) var headers = 0

    private let feeds: [DealtLines]
    private let decoder = ArchiveLineDecoder()
    private let selects: ((String) -> Bool)?
    private let choices: RunChoices
    /// Where a run is replayed.
    private struct Place {
        let coordinator: Int
        /// The archive in which its header was seen last, by ``archive``; 0 before there was one.
        var headerSeen: Int
    }

    /// The places of all runs, by their ids' hashes, of which two may share a coordinator: a run that comes again in
    /// another archive stays where it was.
    private var table: [UInt64: Place] = [:]
    /// The number of the archive, from 1.
    private var archive = 0
    /// What lines of the last run begin with, as Tally writes them.
    private var prefix: [UInt8] = []
    private var current = 0

    private static let beginning = Array(#"{"run":""#.utf8)

    init(_ feeds: [DealtLines], selects: ((String) -> Bool)?, choices: RunChoices) {
        self.feeds = feeds
        self.selects = selects
        self.choices = choices
        dealt = Array(repeating: 0, count: feeds.count)
    }

    /// Begins an archive, in which each run has to have a header.
    func beginArchive() {
        archive += 1
        prefix.removeAll(keepingCapacity: true)
    }

    /// Deals the lines of a block.
    ///
    /// - Returns: whether there are lines of an archive among them that are of no run here, and whether the archive is
    ///   not read on; then what follows was cut off.
    func deal(_ block: LineBlock) -> (hasOthers: Bool, isLast: Bool) {
        var hasOthers = false
        var place = 0
        while place < block.used {
            let known = linesOfLastRun(block, from: place)
            if known.count > 0 {
                give(known.count, upTo: known.end, of: block)
                place = known.end
                continue
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: block.memory[place..<block.used])
            let length = unsafe rest.firstIndex(of: 0x0A) ?? rest.count
            let finding = unsafe find(UnsafeRawBufferPointer(rebasing: rest[..<length]))
            place = min(place + length + 1, block.used)
            give(1, upTo: place, of: block)
            if finding == .ofNoRun { hasOthers = true }
            if finding == .last {
                block.used = place
                return (true, true)
            }
        }
        return (hasOthers, false)
    }

    private func give(_ count: Int, upTo end: Int, of block: LineBlock) {
        block.deal(count, upTo: end, to: current)
        dealt[current] += count
    }

    /// Counts the lines from a place on that begin as the last line did.
    private func linesOfLastRun(_ block: LineBlock, from place: Int) -> (count: Int, end: Int) {
        guard !prefix.isEmpty else { return (0, place) }
        let text = unsafe UnsafeRawBufferPointer(rebasing: block.memory[place..<block.used])
        var end = 0
        let count = unsafe text.withMemoryRebound(to: CChar.self) { text in
            unsafe prefix.withUnsafeBytes { prefix in
                unsafe prefix.withMemoryRebound(to: CChar.self) { prefix in
                    guard let start = text.baseAddress, let sought = prefix.baseAddress else { return 0 }
                    return unsafe tally_lines_with_prefix(start, text.count, sought, prefix.count, &end)
                }
            }
        }
        return (count, place + end)
    }

    /// Makes out the coordinator of a line that is not of the last line's run.
    private func find(_ line: UnsafeRawBufferPointer) -> Finding {
        let id = unsafe Self.id(line)
        if let id = unsafe id, let place = unsafe table[PassedRun.key(id)], place.headerSeen == archive {
            unsafe remember(line, idCount: id.count)
            current = place.coordinator
            return .ofRun
        }
        prefix.removeAll(keepingCapacity: true)
        let content: ArchiveLine
        do throws(ArchiveLineProblem) {
            content = unsafe try decoder.decode(line)
        } catch {
            if case .newerFormat = error { return .last }
            return .unreadable
        }
        let name = decoder.run.string
        let hash = unsafe PassedRun.key(decoder.run.bytes)
        let known = table[hash]
        current = known?.coordinator ?? leastBusy
        guard case .header(let header) = content else {
            table[hash] = known ?? Place(coordinator: current, headerSeen: 0)
            return .ofNoRun
        }
        headers += 1
        table[hash] = Place(coordinator: current, headerSeen: archive)
        if let id = unsafe id { unsafe remember(line, idCount: id.count) }
        guard RunDescription.knownSemantics.contains(header.semantics) else { return .last }
        if let selects, !header.isErased { choices.set(name, selects(name)) }
        return .ofRun
    }

    private var leastBusy: Int {
        var best = 0
        var least = Int.max
        for (number, feed) in feeds.enumerated() {
            let waiting = dealt[number] - feed.done.load(ordering: .relaxed)
            if waiting < least {
                least = waiting
                best = number
            }
        }
        return best
    }

    private func remember(_ line: UnsafeRawBufferPointer, idCount: Int) {
        prefix.removeAll(keepingCapacity: true)
        let count = Self.beginning.count + idCount + 1
        unsafe prefix.append(contentsOf: line[..<count])
    }

    /// The id of a line's run, when the line begins as Tally writes it.
    private static func id(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard unsafe line.starts(with: beginning) else { return nil }
        let rest = unsafe line.dropFirst(beginning.count)
        guard let end = unsafe rest.firstIndex(where: { $0 == 0x22 || $0 == 0x5C }), unsafe line[end] == 0x22 else {
            return nil
        }
        return unsafe UnsafeRawBufferPointer(rebasing: line[beginning.count..<end])
    }
}

/// Which runs were chosen, from the thread that deals to those that replay.
final class RunChoices: Sendable {
    private let chosen = Lock<[String: Bool]>([:])

    func set(_ run: String, _ isChosen: Bool) { chosen.with { $0[run] = isChosen } }

    /// Whether a run is replayed; it was set before its header was dealt.
    func has(_ run: String) -> Bool { chosen.with { $0[run] ?? true } }
}
