internal import Database
internal import Threads

/// Commits on a thread of its own, one commit at a time, while the sender sends.
final class CommitThread: @unchecked Sendable {
    /// What became of a commit.
    typealias Outcome = Result<CommitEffects, DatabaseError>
    /// What is to be done, and is the only one to use the spool meanwhile.
    typealias Work = @Sendable () throws(DatabaseError) -> CommitEffects

    private struct State: Sendable {
        var work: Work?
        var outcome: Outcome?
        var isOver = false
    }

    private let state = Guarded(State())
    private var thread: PluginThread?

    /// Starts it; nil when the system has no more threads.
    ///
    /// `done` is called on it behind each commit.
    init?(_ done: @escaping @Sendable () -> Void) {
        thread = PluginThread { [state] in
            while let outcome = Self.runNext(state) {
                state.with { $0.outcome = outcome }
                done()
            }
        }
        guard thread != nil else { return nil }
    }

    /// Begins a commit; the outcome of the one before was fetched.
    func begin(_ work: @escaping Work) { state.with { $0.work = work } }

    /// Fetches the outcome of the commit that was begun; nil while there is none.
    func outcome() -> Outcome? {
        state.with { state in
            defer { state.outcome = nil }
            return state.outcome
        }
    }

    /// Waits for the outcome of the commit that was begun, and fetches it.
    func finish() -> Outcome {
        while true {
            if let outcome = state.wait(seconds: 60, { $0.outcome }) {
                state.with { $0.outcome = nil }
                return outcome
            }
        }
    }

    /// Ends the thread behind what it does.
    func end() {
        state.with { $0.isOver = true }
        thread?.join()
        thread = nil
    }

    /// Waits for a commit and runs it, of which nothing is left in memory then; nil at the end.
    private static func runNext(_ state: Guarded<State>) -> Outcome? {
        var next: Work??
        while next == nil {
            next = state.wait(seconds: 3_600) { state in
                defer { state.work = nil }
                return state.work.map { .some($0) } ?? (state.isOver ? .some(nil) : nil)
            }
        }
        guard let work = next ?? nil else { return nil }
        do throws(DatabaseError) {
            return .success(try work())
        } catch {
            return .failure(error)
        }
    }
}
