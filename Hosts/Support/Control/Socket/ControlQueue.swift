internal import System
internal import Tally

/// Carries out commands one after another, on a thread of its own, so that neither playback nor clients wait for one.
package final class ControlQueue: Sendable {
    /// Carries out a command; called on the queue's thread, and may wait.
    package typealias Perform = @Sendable (ControlCommand) -> ControlReply

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var next = 0
        var isClosed = false
    }

    private let state: Condition<State>
    private let thread: Thread
    private let perform: Perform

    /// Starts the thread.
    package init(_ perform: @escaping Perform) {
        let state = Condition(State())
        self.state = state
        self.perform = perform
        thread = Thread(name: "control") {
            while let job = Self.next(state) { job() }
        }
    }

    /// Carries out a command behind those that were given before; `done` is called on the queue's thread.
    ///
    /// After the close it is called at once, with the problem that the run is over.
    package func submit(_ command: ControlCommand, _ done: @escaping @Sendable (ControlReply) -> Void) {
        let perform = perform
        let isTaken = state.change { state -> Bool in
            guard !state.isClosed else { return false }
            state.jobs.append { done(perform(command)) }
            return true
        }
        if !isTaken { done(.failure(.ended, "the program is about to end")) }
    }

    /// Carries out what was given so far, then ends the thread.
    package func close() {
        state.change { $0.isClosed = true }
        thread.join()
    }

    private static func next(_ state: Condition<State>) -> (@Sendable () -> Void)? {
        let job: (@Sendable () -> Void)?? = state.wait(until: nil) { state in
            if state.next < state.jobs.count {
                defer { state.next += 1 }
                return .some(state.jobs[state.next])
            }
            state.jobs.removeAll()
            state.next = 0
            return state.isClosed ? .some(nil) : nil
        }
        return job ?? nil
    }
}
