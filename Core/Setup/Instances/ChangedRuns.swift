package import Coordinator
package import PluginLoading
package import System

/// Player runs in which the set of trackers and reporters changes while they go on: a live run, or the open runs of a
/// replay.
package protocol ChangedRuns: AnyObject, Sendable {
    /// Lets trackers that are to take another's place catch up with what the runs were told so far.
    ///
    /// On the calling thread, while the runs go on; it takes as long as a replay of them.
    func rehearse(_ events: [ControlEvent]) -> [TrackerRehearsal]

    /// Takes changes at one event boundary of each run: all of them, or none.
    func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        limit: Int64
    ) throws(JobFailure) -> Result<[ControlAnswer], PluginError>

    /// Hands outputs to these consumers from the next event boundary on.
    func deliver(to consumers: [any OutputConsumer])

    /// Notes that a tracker has joined.
    func recordTracker(_ name: String, enabled: Bool)

    /// What its trackers were and did when its thread said so last; that is asked anew, and nobody waits for it.
    func lastTrackers() -> [PluginStatus]
}

extension ChangedRuns {
    /// Of runs that do not say, nothing.
    package func lastTrackers() -> [PluginStatus] { [] }
}

extension Telemetry {
    /// Takes changes in several runs, in one after the other, each at an event boundary of its own.
    ///
    /// No run waits for another. A run that is over is left out.
    ///
    /// - Throws: why the first run refuses; then nothing has changed anywhere. One that refuses behind others goes on
    ///   as it was, which the log says.
    func change(_ events: [ControlEvent], in runs: [any ChangedRuns], limit: Int64) throws(PluginError) {
        try changeEach(runs) { run throws(PluginError) in
            let outcome: Result<[ControlAnswer], PluginError>
            do throws(JobFailure) {
                outcome = try run.change(events, run.rehearse(events), limit: limit)
            } catch .ended {
                return nil
            } catch {
                throw .noAnswer(instance: events.first?.instance ?? "")
            }
            return try outcome.get()
        }
    }

    /// Changes one run after the other; `change` gives nil for a run that is over.
    ///
    /// - Returns: what all runs answered.
    /// - Throws: why the first refuses.
    @discardableResult
    package func changeEach<Run>(
        _ runs: [Run],
        _ change: (Run) throws(PluginError) -> [ControlAnswer]?
    ) throws(PluginError) -> [ControlAnswer] {
        var answers: [ControlAnswer] = []
        var changedSome = false
        for run in runs {
            do throws(PluginError) {
                guard let answered = try change(run) else { continue }
                answers += answered
                changedSome = true
            } catch {
                guard changedSome else { throw error }
                log.write(error.instance ?? "", 2, "a run goes on without a change that others have: \(error)")
            }
        }
        return answers
    }
}

/// The plugin instances of a process at this moment, and the runs that they are in.
package struct PluginMembers {
    /// Somebody to be told of changes; not kept alive by this.
    package struct Run {
        weak var run: (any ChangedRuns)?
    }

    /// The configured instances in their order.
    package var selections: [PluginSelection]
    /// The trackers of a run that begins now.
    package var setups: [TrackerSetup]
    /// The reporters.
    package var reporters: [ReporterSlot]
    /// The live runs and replays that go on.
    package var runs: [Run] = []
    /// The configured instances that are left out.
    package var absent: [PluginStatus] = []
    /// Plugins that newer files took the place of.
    package var retired: [PluginStatus] = []

    /// The runs that are still there.
    package var liveRuns: [any ChangedRuns] { runs.compactMap(\.run) }
}
