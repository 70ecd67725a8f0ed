internal import System

/// Gives answers in the place of those that are too long in coming.
///
/// Any thread. What was to be answered goes on, and finds that it has been.
final class OverdueAnswers: Sendable {
    private struct Awaited {
        /// us, of the monotonic clock.
        let due: Int64
        let give: @Sendable () -> Void
    }

    private struct State {
        /// In the order in which they are due.
        var awaited: [Awaited] = []
        var isEnding = false
    }

    private let patience: Int64
    private let state = Condition(State())
    private let thread = Lock<Thread?>(nil)

    /// Waits for each answer as long as this, us.
    init(after patience: Int64) {
        self.patience = patience
        thread.with { thread in thread = Thread(name: "tally-overdue") { [self] in loop() } }
    }

    /// Expects an answer; calls `give`, on a thread of its own, when the time has passed.
    func expect(otherwise give: @escaping @Sendable () -> Void) {
        state.change { state in
            // Under the lock, so that they are in the order of their times.
            state.awaited.append(Awaited(due: SystemTime.monotonic() + patience, give: give))
        }
    }

    /// Gives no more; what is awaited has been answered.
    func end() {
        state.change { $0.isEnding = true }
        thread.with { $0 }?.join()
    }

    private func loop() {
        while true {
            // None is due before the first one that is there.
            let first = state.wait(until: nil) { $0.isEnding ? Int64.max : $0.awaited.first?.due } ?? .max
            guard first < .max, state.wait(until: first, for: { $0.isEnding ? true : nil }) == nil else { return }
            let due = state.with { state in
                let now = SystemTime.monotonic()
                let due = Array(state.awaited.prefix { $0.due <= now })
                state.awaited.removeFirst(due.count)
                return due
            }
            for awaited in due { awaited.give() }
        }
    }
}
