import Glibc
import Synchronization
import System

/// How far an engine is, said by its thread to all others: where the playhead is, and whether everything is over.
package final class EngineProgress: Sendable {
    private struct State {
        var thread: pthread_t?
        var isFinished = false
    }

    private let playheadMs = Atomic<Int64>(-1)
    private let state = Condition(State())

    /// Of an engine that has no thread yet.
    package init() {}

    /// The last known playhead, nil before the item is loaded.
    package var positionMs: Int64? {
        get {
            let position = playheadMs.load(ordering: .relaxed)
            return position < 0 ? nil : position
        }
        set { playheadMs.store(newValue ?? -1, ordering: .relaxed) }
    }

    /// Says that the thread that calls is the engine's.
    package func begin() { state.with { $0.thread = pthread_self() } }

    /// Says that nothing more is reported.
    package func finish() { state.change { $0.isFinished = true } }

    /// Waits until nothing more is reported; the engine's own thread does not wait.
    package func waitUntilFinished() {
        _ = state.wait(until: nil) { state in
            let isOwn = state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            return isOwn || state.isFinished ? true : nil
        }
    }
}
