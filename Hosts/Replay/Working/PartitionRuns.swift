internal import Archive
internal import EventModel
internal import KafkaClient

/// The runs of one partition: those that are open, and those that are over and not yet replayed.
///
/// What the group commits is the offset at which the oldest open run began, so that any worker anywhere finds all lines
/// of it in the topic; and with it, as a note, up to where runs that were over are replayed, so that what is read again
/// is not replayed again.
struct PartitionRuns {
    /// A run whose lines are in a file.
    struct Run {
        /// The offset of its first line.
        let begin: Int64
        /// When its last line was written, ms since 1970.
        var last: Int64
        /// Its archive.
        let file: RunFile
    }

    /// What was left out, and why.
    struct Counts {
        /// Runs that were replayed and committed before.
        var known = 0
        /// Lines of runs that were over.
        var repeated = 0
        /// Lines of runs whose header the topic does not have.
        var headless = 0
        /// Runs of which nothing came for long.
        var idle = 0
    }

    private static let note = "tally:"
    /// How many runs that are over are known by name: a line that comes again comes soon.
    private static let remembered = 100_000

    let partition: Int32
    /// Runs that are over, in the order of their ends.
    private(set) var ended: [Run] = []
    private(set) var counts = Counts()
    /// Whether all was read, for now.
    var isAtEnd = false
    /// The runs that are open, by id.
    private(set) var open: [String: Run] = [:]
    /// The offset behind the last line; nil while nothing was read or committed.
    private var next: Int64?
    /// Runs that were over before this offset are replayed.
    private var replayed: Int64
    /// In which second since 1970 idle runs were looked for.
    private var second: Int64 = 0
    private var over: Set<String> = []
    private var order: [String] = []
    private let folder: WorkerFolder
    private let decoder = ArchiveLineDecoder()
    private var committed: KafkaGroup.Position?

    /// Goes on where the group is.
    init(_ position: KafkaGroup.Position, _ folder: WorkerFolder) {
        partition = position.partition
        self.folder = folder
        next = position.offset
        replayed = position.offset ?? 0
        if position.note.hasPrefix(Self.note), let offset = Int64(position.note.dropFirst(Self.note.count)) {
            replayed = max(replayed, offset)
        }
        committed = position
    }

    /// Has a line; with `idleLimit`, ms, runs of which nothing came for so long are over then.
    mutating func add(_ message: KafkaGroup.Message, idleLimit: Int64?) throws(WorkerFailure) {
        isAtEnd = false
        next = message.offset + 1
        let time = message.time ?? 0
        let content = try? unsafe decoder.decode(message.value)
        // Of a damaged line only the key tells whose it is; the replay says what is wrong with it.
        let run = unsafe content == nil ? String(decoding: message.key, as: UTF8.self) : decoder.run.string
        var isHeader = false
        var isEnd = false
        switch content {
        case .header: isHeader = true
        case .end: isEnd = true
        default: break
        }
        if over.contains(run) {
            counts.repeated += 1
        } else if var known = open[run] {
            unsafe try known.file.append(message.value)
            known.last = time
            open[run] = known
        } else if isHeader {
            let made = Run(begin: message.offset, last: time, file: try folder.file(partition, message.offset))
            unsafe try made.file.append(message.value)
            open[run] = made
        } else {
            counts.headless += 1
        }
        if isEnd { close(run, at: message.offset) }
        // Once for each second of the topic: whoever reads it again closes the same runs at the same lines.
        guard let idleLimit, message.time != nil, time / 1_000 != second else { return }
        second = time / 1_000
        for (run, entry) in open.sorted(by: { $0.value.begin < $1.value.begin }) where time - entry.last > idleLimit {
            counts.idle += 1
            close(run, at: message.offset)
        }
    }

    private mutating func close(_ name: String, at offset: Int64) {
        guard let run = open.removeValue(forKey: name) else { return }
        if over.insert(name).inserted { order.append(name) }
        if order.count > 2 * Self.remembered {
            for name in order.prefix(Self.remembered) { over.remove(name) }
            order.removeFirst(Self.remembered)
        }
        guard offset >= replayed else {
            counts.known += 1
            run.file.remove()
            return
        }
        ended.append(run)
    }

    /// What is to be committed once the runs that are over are replayed; nil when that is committed.
    var position: KafkaGroup.Position? {
        guard let next else { return nil }
        let position = KafkaGroup.Position(
            partition: partition,
            offset: open.values.map(\.begin).min() ?? next,
            note: Self.note + "\(max(next, replayed))"
        )
        return position == committed ? nil : position
    }

    /// The runs that were over are replayed, and committed unless that is to be tried again.
    mutating func finish(_ position: KafkaGroup.Position, isCommitted: Bool) {
        if isCommitted { committed = position }
        for run in ended { run.file.remove() }
        ended.removeAll()
    }

    /// Another worker has the partition now.
    func abandon() {
        for run in ended + open.values { run.file.remove() }
    }
}
