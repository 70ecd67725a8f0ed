internal import Archive
internal import Coordinator
internal import PluginABI
internal import Reporting
internal import Setup
internal import Synchronization
internal import System
internal import TallyReplay

// Runs that a crash cut off: a process that dies takes with it what its trackers held back for their next batch, and
// what was on its way to the reporters. All of it follows from the archive.
extension Telemetry {
    /// How long the reporters may take to keep what they were given of one run, ms.
    private static let recoveryLimit: Int64 = 30_000

    /// Whether any reporter takes the outputs of runs that a crash cut off.
    public var takesRecoveredRuns: Bool { !recoveringReporters.isEmpty }

    /// Brings the player runs to their end whose players died.
    ///
    /// Each is replayed through the trackers that it was recorded with, up to the archive's last complete line, and
    /// ended there with the reason `crash`. What comes out goes to the reporters that know what they have taken before;
    /// without one, nothing happens. When they have it, the archive gets its end. An archive that a living process
    /// writes, or another one recovers, is left alone; so is one that does not work out, with a warning, and the next
    /// call tries it again. It returns when all is done: it may be called on a thread of its own while runs go on.
    ///
    /// - Parameters:
    ///   - path: a folder, of which the files that end in `.tally` are looked at, or one archive.
    ///   - isCancelled: asked now and then; once it is true the rest is left for the next call.
    /// - Returns: the runs that got their end.
    @discardableResult
    public func recover(
        archives path: String,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> [RecoveredRun] {
        guard takesRecoveredRuns else { return [] }
        var recovered: [RecoveredRun] = []
        for archive in Self.archives(at: path) where !isCancelled() {
            guard let unfinished = UnfinishedArchive(path: archive) else { continue }
            do throws(RecoveryFailure) {
                recovered.append(try recover(unfinished, isCancelled))
            } catch {
                guard !isCancelled() else { break }
                log.write("", TALLY_LOG_WARN, "\(archive): not recovered: \(error.description)")
            }
        }
        return recovered
    }

    private struct RecoveryFailure: Error {
        let description: String
    }

    private var recoveringReporters: [ReporterInstance] {
        options.quiet ? [] : reporters.filter { $0.wanted & TALLY_WANTS_RECOVERED != 0 }
    }

    private func recover(
        _ archive: UnfinishedArchive,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecoveryFailure) -> RecoveredRun {
        let consumers = recoveringReporters.map { RecoveryConsumer($0, isCancelled: isCancelled) }
        var replaying = ReplayOptions()
        replaying.asRecorded = true
        replaying.endsOpenRuns = true
        replaying.recoveredArchive = archive.path
        let replay = Replay(telemetry: self, options: replaying, consumers: consumers)
        do throws(TelemetryError) {
            try replay.replay(path: archive.path)
        } catch {
            throw RecoveryFailure(description: error.description)
        }
        // One run has no end: the last one, since a player records one run to a file.
        guard let ended = replay.endedRuns.last else {
            throw RecoveryFailure(description: "no run in it could be replayed")
        }
        for consumer in consumers {
            try keep(consumer, of: ended.id)
        }
        guard !isCancelled() else { throw RecoveryFailure(description: "it was cancelled") }
        do throws(UnfinishedArchive.Failure) {
            try archive.end(run: ended.id, ordinal: ended.ordinal, at: ended.time, reason: RunEndReason.crash.rawValue)
        } catch {
            throw RecoveryFailure(description: error.description)
        }
        return RecoveredRun(
            archive: archive.path,
            run: ended.id,
            lastSeen: ended.lastSeen,
            records: replay.summary.records,
            beacons: replay.summary.beacons,
            lostBytes: archive.incompleteBytes
        )
    }

    /// Waits until a reporter has what it was given.
    private func keep(_ consumer: RecoveryConsumer, of run: String) throws(RecoveryFailure) {
        let answer = Condition<FlushAnswer?>(nil)
        // No budget: what is kept safely counts, nothing has to be sent yet.
        consumer.flush(runID: run, session: 0, budget: 0) { done in answer.change { $0 = done } }
        let deadline = SystemTime.monotonic() + Self.recoveryLimit * 1000
        guard answer.wait(until: deadline, for: { $0 }) != nil else {
            throw RecoveryFailure(description: "a reporter has not taken all of it; the next start tries again")
        }
        guard consumer.isComplete else {
            throw RecoveryFailure(description: "a reporter has lost some of it; the next start tries again")
        }
    }

    /// The archives of a folder by name, or the file itself.
    private static func archives(at path: String) -> [String] {
        guard let names = FileNames.names(in: path, endingWith: ".tally") else { return [path] }
        let folder = path.hasSuffix("/") ? path : path + "/"
        return names.map { folder + $0 }
    }
}

/// A player run that a crash cut off, and that was brought to its end.
public struct RecoveredRun: Sendable, Equatable {
    /// The archive's file.
    public let archive: String
    /// The run's id.
    public let run: String
    /// When it was last seen, us since 1970: the time of the archive's last complete line.
    public let lastSeen: Int64
    /// Records that its trackers emitted from its begin on.
    public let records: UInt64
    /// Beacons that its trackers emitted from its begin on; reporters leave out those that they had.
    public let beacons: UInt64
    /// Bytes behind the last complete line: what was being written when the player died.
    public let lostBytes: Int
}

/// Hands the outputs of a recovered run to one reporter, and waits where a live run would drop.
final class RecoveryConsumer: OutputConsumer {
    private let reporter: ReporterInstance
    private let isCancelled: @Sendable () -> Bool
    private let droppedBefore: UInt64

    init(_ reporter: ReporterInstance, isCancelled: @escaping @Sendable () -> Bool) {
        self.reporter = reporter
        self.isCancelled = isCancelled
        droppedBefore = reporter.statistics.dropped
    }

    var wanted: UInt32 { reporter.wanted }

    /// Whether the reporter has lost nothing since.
    var isComplete: Bool { reporter.statistics.dropped == droppedBefore }

    func consume(_ output: Output) {
        guard !isCancelled() else { return }
        reporter.recover(output)
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        reporter.flush(runID: runID, session: session, budget: budget, done: done)
    }
}
