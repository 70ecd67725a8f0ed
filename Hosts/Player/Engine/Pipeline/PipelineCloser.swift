import CGStreamer
import Glibc
import Synchronization

/// Releases a pipeline within a time limit.
///
/// GStreamer 1.22 can lock itself up when it is stopped at the very moment at which it finds the type of the media: the
/// stop holds a lock that the finding thread waits for, and waits for that thread. Such a pipeline is left behind.
final class PipelineCloser: @unchecked Sendable {
    private static let stepUs: UInt32 = 500

    // Handed over once: written before the closing thread starts, and used by that thread alone afterwards.
    private var pipeline: Pipeline?
    private let isDone = Atomic<Bool>(false)

    /// Takes over a pipeline that nobody uses any more.
    init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    /// Stops and releases the pipeline; false when it did not stop in time.
    func close(limitMs: Int64) -> Bool {
        EngineThread.start { [self] in
            pipeline?.setState(GST_STATE_NULL)
            pipeline = nil
            isDone.store(true, ordering: .releasing)
        }
        let startNs = MonotonicClock.nowNs()
        while !isDone.load(ordering: .acquiring) {
            guard MonotonicClock.nowNs() - startNs < limitMs * 1_000_000 else { return false }
            usleep(Self.stepUs)
        }
        return true
    }
}
