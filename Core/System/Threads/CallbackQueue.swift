/// Runs the delegate's call-backs one after another, never inside a track call.
///
/// On a thread of their own, which there is only while one waits.
package final class CallbackQueue: Sendable {
    private struct Job {
        let due: Int64
        let run: @Sendable () -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var closed = false
        /// What runs the jobs, or did last.
        var thread: Thread?
        var isRunning = false
    }

    private let state = Condition(State())

    /// Has nothing to run.
    package init() {}

    /// Runs `job` as soon as the jobs before it are done, but not before `delay` us from now.
    package func post(after delay: Int64 = 0, _ job: @escaping @Sendable () -> Void) {
        let due = SystemTime.monotonic() + delay
        state.change { state in
            guard !state.closed else { return }
            let place = state.jobs.firstIndex { $0.due > due } ?? state.jobs.count
            state.jobs.insert(Job(due: due, run: job), at: place)
            guard !state.isRunning else { return }
            state.isRunning = true
            state.thread = Thread(name: "tally-callback") { [stateOfAll = self.state] in
                while let job = CallbackQueue.next(stateOfAll) { job() }
            }
        }
    }

    /// Whether the caller is one of the jobs.
    package var isCurrent: Bool { state.with { $0.isRunning ? $0.thread : nil }?.isCurrent ?? false }

    /// Drops what has not run yet and waits for a running job, unless this is that job.
    package func close() {
        let thread = state.change { state in
            state.closed = true
            state.jobs.removeAll()
            return state.thread
        }
        thread?.join()
    }

    /// What the thread does next.
    private enum Step {
        case run(@Sendable () -> Void)
        case end
        case waitAnew
    }

    /// Waits for the next job; nil when there is none, or the queue is closed.
    private static func next(_ state: Condition<State>) -> (@Sendable () -> Void)? {
        while true {
            let deadline = state.with { $0.jobs.first?.due }
            let step = state.wait(until: deadline) { state -> Step? in
                guard let first = state.jobs.first else {
                    state.isRunning = false
                    return .end
                }
                guard first.due > SystemTime.monotonic() else { return .run(state.jobs.removeFirst().run) }
                // Another job has come to the front: how long to wait is a new question.
                return first.due == deadline ? nil : .waitAnew
            }
            switch step {
            case .run(let job): return job
            case .end: return nil
            case .waitAnew, nil: continue
            }
        }
    }
}
