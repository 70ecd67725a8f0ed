import CGStreamer
import System

/// A thread of an adaptive demuxer, which does one thing after another that its loop has for it.
@safe final class DemuxerThread: @unchecked Sendable {
    /// When work is done among what the demuxer has waiting for the thread.
    enum Turn: Int32 {
        case next = 0
        /// Behind all that waits.
        case last = 300
    }

    private final class Work: @unchecked Sendable {
        enum Stage { case waiting, running, done, abandoned }

        let body: () -> Void
        let stage = Condition(Stage.waiting)

        init(_ body: @escaping () -> Void) {
            self.body = body
        }

        func run() {
            let isWanted = stage.with { stage in
                guard stage == .waiting else { return false }
                stage = .running
                return true
            }
            guard isWanted else { return }
            body()
            stage.change { $0 = .done }
        }

        func isDone(by deadline: Int64?) -> Bool { stage.wait(until: deadline) { $0 == .done ? true : nil } ?? false }
    }

    private let context: OpaquePointer

    /// The thread that calls; nil when it has no loop of its own.
    init?() {
        guard let context = unsafe g_main_context_get_thread_default() else { return nil }
        unsafe self.context = unsafe g_main_context_ref(context)
    }

    deinit {
        unsafe g_main_context_unref(context)
    }

    /// Does work there, and waits for it; false when the thread does not come to it in time, and then it never does it.
    func perform(_ turn: Turn, limitMs: Int64, _ body: @escaping () -> Void) -> Bool {
        let work = Work(body)
        unsafe g_main_context_invoke_full(
            context,
            turn.rawValue,
            { context in
                guard let context = unsafe context else { return 0 }
                unsafe Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().run()
                return 0
            },
            Unmanaged.passRetained(work).toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Work>.fromOpaque(context).release()
            }
        )
        let deadline = SystemTime.monotonic() + limitMs * 1000
        if work.isDone(by: deadline) { return true }
        let isAbandoned = work.stage.with { stage in
            if stage == .waiting { stage = .abandoned }
            return stage == .abandoned
        }
        if isAbandoned { return false }
        return work.isDone(by: nil)
    }
}
