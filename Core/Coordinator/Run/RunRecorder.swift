package import EventModel
package import PluginABI

/// Keeps a player run as it happens: an archive.
///
/// Called before an event is dispatched. Context: `[core]`.
package protocol RunRecorder: AnyObject {
    /// Hands the lines of what is kept on from now on, to who wants archive lines: the run begins.
    func begin(_ lines: OutputRouter)

    /// Keeps an event as the trackers will see it.
    ///
    /// - Parameters:
    ///   - event: the event with its effective time, its flags and the whole state.
    ///   - report: what the player reported with it, in `known` and the members that it names.
    func record(_ event: EventView, report: UnsafePointer<tally_state>)

    /// Notes that the run has come to `time` without an event.
    func mark(at time: Int64)

    /// Keeps the run's end.
    func end(at time: Int64, reason: RunEndReason, dropped: UInt64)

    /// Deletes what was kept, and keeps nothing more.
    func erase()

    /// What was kept, from the run's beginning; nil when it is not whole, was erased, or cannot be read again.
    func history() -> (any RunHistory)?

    /// A descriptor of the file with all that was recorded, and how many bytes that is.
    ///
    /// The caller's to close; nil as for ``history()``.
    func readable() -> (descriptor: Int32, bytes: Int)?

    /// Lets histories read all that was recorded.
    ///
    /// - Returns: whether they still can: nothing was erased or lost meanwhile.
    func flush() -> Bool
}

extension RunRecorder {
    /// Has no lines.
    package func begin(_ lines: OutputRouter) {}

    /// Has nothing to delete: for a recorder that keeps nothing for longer than the process lives.
    package func erase() {}

    /// Has nothing that could be read again.
    package func history() -> (any RunHistory)? { nil }

    /// Has nothing that could be read again.
    package func readable() -> (descriptor: Int32, bytes: Int)? { nil }

    /// Has nothing that could be read again.
    package func flush() -> Bool { false }
}

/// What a run was told so far, to be told again to a tracker that comes late.
///
/// Used by one thread at a time, while the run goes on.
package protocol RunHistory: AnyObject {
    /// Replays what was recorded since the last call, from the run's beginning on.
    ///
    /// - Returns: how many lines these were; nil when one cannot be read.
    func replay(into run: Coordinator) -> Int?
}
