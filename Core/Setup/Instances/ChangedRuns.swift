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
    ///
    /// `others` is called when everything that is to join is made; when it throws, nothing is taken.
    func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        limit: Int64,
        with others: @escaping () throws(PluginError) -> Void
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
    /// Takes changes in several runs, each at one event boundary: in all of them, or in none.
    ///
    /// Each run waits at its boundary, with everything made that is to join it, until the others are as far. A run that
    /// is over is left out.
    static func change(_ events: [ControlEvent], in runs: [any ChangedRuns], limit: Int64) throws(PluginError) {
        let rehearsals = runs.flatMap { $0.rehearse(events) }
        try change(events, rehearsals, in: runs[...], limit: limit)
    }

    private static func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        in runs: ArraySlice<any ChangedRuns>,
        limit: Int64
    ) throws(PluginError) {
        guard let run = runs.first else { return }
        let others = runs.dropFirst()
        let outcome: Result<[ControlAnswer], PluginError>
        do throws(JobFailure) {
            outcome = try run.change(events, rehearsals, limit: limit * Int64(runs.count)) {
                () throws(PluginError) in
                try change(events, rehearsals, in: others, limit: limit)
            }
        } catch .ended {
            return try change(events, rehearsals, in: others, limit: limit)
        } catch {
            throw .noAnswer(instance: events.first?.instance ?? "")
        }
        _ = try outcome.get()
    }
}
