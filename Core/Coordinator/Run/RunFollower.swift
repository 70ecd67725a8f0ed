package import EventModel
package import PluginABI
package import PluginLoading

/// Trackers of a run that coordinators in other processes have. [core]
///
/// They are told what the run is told, and what they say goes where the run's own word goes.
package protocol RunFollower: OutputStage {
    /// The next deadline of a timer there that was not told to fire, us; nil when none is known.
    var nextDeadline: Int64? { get }

    /// Whether a timer there may fire at `time` or before: one is known, or it is not known yet whether there is one.
    func isDue(by time: Int64) -> Bool

    /// An event was recorded; `report` is what the player reported with it.
    func follow(_ event: EventView, report: UnsafePointer<tally_state>)

    /// Timers that are due at `time` or before fire.
    func advance(to time: Int64)

    /// The run is over.
    func end(at time: Int64)

    /// The run itself has said all that it says of what was told last.
    func finish()

    /// A tracker is about to join the run, where an event will say so; `forget` takes it back.
    ///
    /// - Throws: why it cannot.
    func join(_ setup: TrackerSetup) throws(PluginError)

    /// A tracker that was about to join does not.
    func forget(_ tracker: String)

    /// Another tracker, enabled or not, takes the place of one there, as the event of a number says, which was told
    /// last; whether it has.
    func replace(_ setup: TrackerSetup, at event: UInt64, isEnabled: Bool) -> (any LaterAnswer)?

    /// Why a tracker there takes no changes; nil for one that does.
    func refusal(of tracker: String) -> PluginError?

    /// What a tracker there is and did; nil for one that it does not have.
    func report(of tracker: String, isEnabled: Bool) -> TrackerReport?

    /// Has a tracker's answer to the change that was told last; nil for one that it does not have.
    func answer(of tracker: String) -> (any LaterAnswer)?

    /// Asks a tracker something that changes nothing; nil for one that it does not have.
    func ask(_ tracker: String, _ command: String, arguments: String, at time: Int64) -> (any LaterAnswer)?
}
