internal import Archive
internal import EventModel
internal import Reporting
internal import System

/// What a replay keeps of an archive's runs while too many are open: their lines, and what trackers say meanwhile.
final class WaitingRuns {
    /// The runs that began when too many were open.
    struct Partition {
        /// Their lines.
        let buckets: LineBuckets
        /// What those say that were open already.
        let outputs: StoredOutputs
        /// Where outputs went before; nil for the reporters.
        let outer: StoredOutputs?
    }

    /// A place behind all lines of an archive.
    private static let endOfLines: UInt64 = 1 << 62

    /// Whether runs of the archive may wait.
    var isAllowed = false
    /// Whether commands may come, for which all runs have to stand at the same line.
    var isCommanded = false
    /// Who reads the lines: those of the archive, or of runs that waited.
    var reader: ArchiveReader?
    /// The number of a run that is left behind the last line.
    var begunAt: UInt64?
    var partition: Partition?
    /// Where outputs go; nil for the reporters.
    var outputs: StoredOutputs?
    /// Whether the reading ended before the archive did: what its runs came to is not known.
    var isCutShort = false
    /// How many buckets lie around the one that is replayed.
    var depth = 0
    /// Bytes of lines that waited.
    var lineBytes = 0
    let spill = SpillFile()
    private let lines: DealtLines?
    /// Bytes of outputs that had waited before.
    var spilledBefore = 0
    /// When the archive was read, by the monotonic clock.
    var readAt: Int64 = 0
    /// Damage with where it was met, in the order of the buckets.
    private var damage: [(position: UInt64, text: ReplaySummary.Place)] = []

    /// Where in the archive that stands which is being replayed.
    private var place: UInt64 {
        lines?.position ?? begunAt.map { Self.endOfLines + $0 } ?? UInt64(reader?.lineNumber ?? 0)
    }

    /// Keeps runs of a replay that is dealt its lines, or reads archives itself.
    init(_ lines: DealtLines?) { self.lines = lines }

    /// A place for outputs of the kinds that are wanted.
    func makeStore(wanted: UInt32) -> StoredOutputs {
        StoredOutputs(in: spill, wanted: wanted) { [unowned self] in place }
    }

    /// Keeps the place of a damaged line, if it is one of the first.
    func record(_ text: ReplaySummary.Place) {
        damage.append((place, text))
        if damage.count >= 2 * ReplaySummary.placesKept { damage = Array(firstDamage.prefix(ReplaySummary.placesKept)) }
    }

    /// Forgets the damage.
    func removeDamage() { damage = [] }

    /// Damage by where it was met.
    var firstDamage: [(position: UInt64, text: ReplaySummary.Place)] {
        let numbered = damage.enumerated()
        return numbered.sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
    }

    /// Keeps the line that was read last, if its run waits.
    func append(_ reader: ArchiveReader) -> Bool {
        guard let partition else { return false }
        // Of what is in one bucket, not all may come into one again.
        var hasher = Hasher()
        hasher.combine(depth)
        unsafe hasher.combine(bytes: reader.decoder.run.bytes)
        let bucket = Int(UInt(bitPattern: hasher.finalize()) % UInt(LineBuckets.count))
        unsafe partition.buckets.append(reader.lineBytes, number: reader.lineNumber, to: bucket)
        return true
    }
}
