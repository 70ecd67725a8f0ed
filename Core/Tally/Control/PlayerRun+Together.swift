internal import Coordinator

extension PlayerRun {
    /// Takes changes in several runs, each at one event boundary: in all of them, or in none.
    ///
    /// Each run waits at its boundary, with everything made that is to join it, until the others are as far. A run that is
    /// over is left out.
    static func change(_ events: [ControlEvent], in runs: ArraySlice<PlayerRun>) throws(PluginError) {
        guard let run = runs.first else { return }
        let others = runs.dropFirst()
        let outcome: Result<Void, PluginError>
        do throws(JobFailure) {
            outcome = try run.live.perform(limit: answerLimit * Int64(runs.count)) { coordinator, time in
                do throws(PluginError) {
                    _ = try coordinator.take(events, at: time) { () throws(PluginError) in
                        try change(events, in: others)
                    }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        } catch .ended {
            return try change(events, in: others)
        } catch {
            throw .noAnswer(instance: events.first?.instance ?? "")
        }
        try outcome.get()
    }
}
