internal import Synchronization
package import Tally

/// Brings the runs of earlier players to their end that died, on a thread of its own.
package final class ArchiveRecovery: Sendable {
    /// How long playback waits for an archive that it is about to replace, ms.
    private static let replacementLimit: Int64 = 30_000
    /// How long the end of the program waits, ms.
    private static let endLimit: Int64 = 5_000

    private let isDone = Condition(false)
    private let isCancelled = Atomic(false)

    /// Begins; when the archive of this run is one that is to be recovered, that comes first.
    package init(_ telemetry: Telemetry, _ place: ArchivePlace, log: LogPrinter) {
        _ = Thread(name: "tally-recovery") { [self] in
            let runs = telemetry.recover(archives: place.recovered) { [self] in
                isCancelled.load(ordering: .relaxed)
            }
            for run in runs { Self.report(run, log) }
            isDone.change { $0 = true }
        }
        if place.folder == nil { wait(Self.replacementLimit) }
    }

    /// Waits a moment, then leaves the rest for the next start.
    package func end() {
        guard !wait(Self.endLimit) else { return }
        isCancelled.store(true, ordering: .relaxed)
    }

    @discardableResult
    private func wait(_ milliseconds: Int64) -> Bool {
        isDone.wait(until: SystemTime.monotonic() + milliseconds * 1_000) { $0 ? true : nil } ?? false
    }

    private static func report(_ run: RecoveredRun, _ log: LogPrinter) {
        let lost =
            run.lostBytes == 0
            ? "" : "; of an incomplete line \(ReadableNumber.counted(run.lostBytes, "byte is", "bytes are")) lost"
        log.show(
            .info,
            "recovered: the run \(run.run) of \(run.archive), with "
                + "\(ReadableNumber.counted(run.records, "record")) and \(ReadableNumber.counted(run.beacons, "beacon")) "
                + "in all; reporters take those that they do not have\(lost)"
        )
    }
}
