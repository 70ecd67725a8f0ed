internal import Coordinator
internal import Reporting
internal import Synchronization

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

    func consume(_ output: borrowing Output) {
        guard !isCancelled() else { return }
        reporter.recover(output)
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        reporter.flush(runID: runID, session: session, budget: budget, done: done)
    }
}
