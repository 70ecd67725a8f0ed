internal import Archive
internal import Coordinator
internal import System

/// Runs of a pipe, or of an archive that is still written, which were closed before their ends to free their memory.
final class ClosedRuns {
    /// What is known of a run whose lines are kept, so that it can be begun again.
    struct Kept {
        let number: UInt64
        let offset: Int
        let base: Int64?
        let idledAt: [Int]
        /// How far it had come, us.
        let time: Int64
        let statistics: [(name: String, enabled: Bool, TrackerStatistics)]

        init(_ run: ReplayedRun) {
            number = run.number
            offset = run.offset
            base = run.base
            idledAt = run.idledAt
            time = run.coordinator.time
            statistics = run.coordinator.statistics
        }
    }

    /// The longest time between two looks at the clock that counts, us: a replay that halts hears of nobody.
    private static let longestStep: Int64 = 1_000_000
    /// The time between two looks for idle runs, us.
    private static let interval: Int64 = 100_000

    /// Whether the archive's lines come as they are written.
    private(set) var isLive = false
    /// Reads bytes of the archive once more; nil where nothing keeps them.
    private(set) var rereading: ((Range<Int>) -> ArchiveSource)?
    /// What came through the pipe that is read; nil for an archive that lies in a file.
    private(set) var pipe: PipeBytes?
    /// Runs that are begun again when they go on, by their ids.
    var kept: [String: Kept] = [:]
    /// Runs of which nothing is kept.
    var left: Set<String> = []
    /// Whether it was told that more runs go on than may be open.
    var hasWarned = false
    /// The last line whose run is known to have been heard of.
    var heardLine = 0
    /// The machine's time since the replay began, us, but for long halts.
    private(set) var time: Int64 = 0
    private var lookedAt = SystemTime.monotonic()

    /// Begins with lines that are dealt, which nothing keeps.
    func begin(isLive: Bool) {
        self.isLive = isLive
        rereading = nil
        heardLine = 0
    }

    /// Begins with an archive, and gives where to read it from: what comes through a pipe is kept in a folder.
    func begin(_ source: ArchiveSource, folder: String) -> ArchiveSource {
        begin(isLive: !source.isFile)
        pipe = isLive && source.rereading == nil ? PipeBytes(of: source.path, in: folder) : nil
        let source = pipe?.keeping(source) ?? source
        rereading = source.rereading
        return source
    }

    /// Gives back what was kept of a pipe.
    func end() { (pipe, rereading) = (nil, nil) }

    /// Looks at the machine's clock; false when that is too soon.
    func advance() -> Bool {
        let passed = SystemTime.monotonic() - lookedAt
        guard passed >= Self.interval else { return false }
        lookedAt += passed
        time += min(passed, Self.longestStep)
        return true
    }
}
