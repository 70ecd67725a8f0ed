internal import CTally
internal import EventModel
internal import Glibc
internal import Synchronization
internal import Tally
internal import TallyEmbedding

/// What stands behind a `tally`.
final class TallyHandle: Sendable {
    let tally: EmbeddedTally
    let reports: ReportQueue

    init(_ options: EmbeddingOptions, reports: ReportQueue) throws(EmbeddingError) {
        self.reports = reports
        tally = try EmbeddedTally(options)
        ProcessEnd.add(self)
    }

    func close(limit: Int64) -> Int32 {
        ProcessEnd.remove(self)
        reports.beginClosing()
        return Int32(tally.close(limit: limit).count)
    }
}

/// What stands behind a `tally_run`; lives until it is freed, also when the run is over before.
final class RunHandle: Sendable {
    let run: PlayerRun
    let player: PushedPlayer
    /// The run's id and its archive, as C reads them.
    let id: CText
    let archive: CText?

    /// Begins a run, which may have begun a while ago, us.
    init(in handle: TallyHandle, archive path: String?, startedAgo: Int64) throws(EmbeddingError) {
        player = PushedPlayer(reports: handle.reports)
        let (run, file) = try handle.tally.startRun(delegate: player, archive: path, startedAgo: startedAgo)
        self.run = run
        id = CText(run.id)
        archive = file.map { CText($0) }
        player.begin(run: run.id)
    }
}

extension RunHandle {
    /// What options say, which may be NULL.
    static func read(_ options: UnsafePointer<tally_run_options>?) -> tally_run_options {
        var said = unsafe tally_run_options()
        if let options = unsafe options { unsafe SizedStructure.read(options, into: &said) }
        return unsafe said
    }

    /// How long ago a run began, us.
    static func startedAgo(_ begunNs: Int64) -> Int64 {
        begunNs > 0 ? min(max(0, SystemTime.monotonic() - begunNs / 1_000), 3_600_000_000) : 0
    }

    /// Does something with the object behind a pointer that C holds, unless that is NULL.
    @inline(__always)
    static func with<Value>(_ pointer: OpaquePointer?, else none: Value, _ body: (RunHandle) -> Value) -> Value {
        guard let pointer = unsafe pointer else { return none }
        return unsafe Unmanaged<RunHandle>.fromOpaque(UnsafeRawPointer(pointer))._withUnsafeGuaranteedRef(body)
    }
}

/// The end of the process, and of copies of it.
enum ProcessEnd {
    /// How long what is open may deliver as the process exits, ms.
    private static let limit: Int64 = 500

    private static let hasBegun = Atomic(false)
    private static let isWatched = Atomic(false)
    private static let open = Lock<[TallyHandle]>([])

    /// Whether calls do nothing any more.
    @inline(__always)
    static var isOver: Bool { ForkGuard.isCopy || hasBegun.load(ordering: .relaxed) }

    /// A copy of a process in which nothing was ever opened, such as a daemon's, may open as any other.
    static func acceptCopy() {
        if !isWatched.load(ordering: .relaxed), ForkGuard.isCopy { ForkGuard.acceptCopy() }
    }

    static func add(_ handle: TallyHandle) {
        open.with { $0.append(handle) }
        guard !isWatched.exchange(true, ordering: .relaxed) else { return }
        atexit { ProcessEnd.deliver() }
    }

    static func remove(_ handle: TallyHandle) { open.with { $0.removeAll { $0 === handle } } }

    /// Lets what is open deliver; track calls of other threads answer that all is over.
    private static func deliver() {
        guard !ForkGuard.isCopy, !hasBegun.exchange(true, ordering: .relaxed) else { return }
        for handle in open.with({ $0 }) { handle.tally.close(limit: limit) }
    }
}
