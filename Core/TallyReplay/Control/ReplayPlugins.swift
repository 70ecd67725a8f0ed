package import Coordinator
package import PluginLoading
package import Setup
package import System
package import TextEncoding

/// The plugins of a replay, changed while it goes on.
///
/// A change counts from the event boundary at which the replay stands: in the runs that are open there it is a control
/// event, and runs that begin later begin with it. With ``ReplayOptions/asRecorded`` the trackers are the archive's,
/// and only reporters change.
package final class ReplayPlugins: ControlledPlayback, ChangedRuns, @unchecked Sendable {
    private let telemetry: Telemetry
    private let control: ReplayControl
    private let isRecordedSet: Bool
    /// Used on the replay's thread alone.
    private weak let replay: Replay?

    init(_ replay: Replay, _ telemetry: Telemetry, _ control: ReplayControl, isRecordedSet: Bool) {
        self.replay = replay
        self.telemetry = telemetry
        self.control = control
        self.isRecordedSet = isRecordedSet
        telemetry.addRun(self)
    }

    // MARK: - ControlledPlayback

    package var openRuns: [String] {
        (try? there { replay in
            let open = replay.openRuns.map(\.id)
            return open.isEmpty ? [replay.lastRun].compactMap { $0 } : open
        }) ?? []
    }

    package func plugins() -> [PluginStatus] {
        let trackers = try? there { $0.trackerStatuses }
        return telemetry.pluginStatuses(trackers: trackers ?? [])
    }

    package func confirmedStatus(of name: String) throws(ControlError) -> PluginStatus? {
        if let reporter = telemetry.reporter(named: name) { return reporter.status }
        return try ControlError.awaiting(name) { () throws(JobFailure) in
            try there { replay in replay.trackerStatuses.first { $0.name == name } }
        }
    }

    package func enable(plugin name: String, cause: ControlCause) -> PluginChange { change(name, enable: true, cause) }

    package func disable(plugin name: String, cause: ControlCause) -> PluginChange {
        change(name, enable: false, cause)
    }

    package func configure(plugin name: String, _ configuration: JSONValue, cause: ControlCause) throws(ControlError) {
        try telemetry.configure(name, configuration, cause) { (event) throws(ControlError) in
            _ = try control(event)
            telemetry.changeSetup(ofTracker: name) { $0.configuration = configuration.canonicalText }
        }
    }

    package func command(
        plugin name: String,
        _ command: String,
        _ arguments: JSONValue,
        cause: ControlCause,
        limit: Int64?
    ) throws(ControlError) -> JSONValue {
        try telemetry.command(name, command, arguments, cause, limit: limit) { (arguments, _) throws(ControlError) in
            try ControlError.awaiting(name) { () throws(JobFailure) in
                try there { replay in
                    guard let run = replay.runsInOrder.last?.run.coordinator else {
                        return .failure(.noOpenRun(instance: name))
                    }
                    return run.answer(toQuery: command, of: name, arguments: arguments, at: run.time)?.value(limit: 0)
                }
            }
        } change: { (event, _) throws(ControlError) in
            try control(event).last?.text
        }
    }

    // MARK: - ChangedRuns

    package func rehearse(_ events: [ControlEvent]) -> [TrackerRehearsal] {
        let rehearsals = try? there { replay in
            replay.runsInOrder.flatMap { $0.run.coordinator.rehearsals(for: events) }
        }
        for rehearsal in rehearsals ?? [] { rehearsal.catchUp() }
        return rehearsals ?? []
    }

    package func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        limit: Int64
    ) throws(JobFailure) -> Result<[ControlAnswer], PluginError> {
        let (telemetry, isRecordedSet, name) = (telemetry, isRecordedSet, events.first?.instance ?? "")
        return try there(limit: limit) { replay in
            Result { () throws(PluginError) in
                if isRecordedSet { throw .recordedSet(instance: name) }
                let runs = replay.runsInOrder.map(\.run.coordinator)
                guard !runs.isEmpty else { throw .noOpenRun(instance: name) }
                return try telemetry.changeEach(runs) { run throws(PluginError) in
                    try run.change(events, rehearsals: rehearsals, at: run.time)
                }
            }
        }
    }

    package func deliver(to consumers: [any OutputConsumer]) {
        _ = try? there { replay in
            // What waits for the lines of other runs goes to those that there are in the end.
            guard replay.waiting.outputs == nil else { return }
            for (_, run) in replay.runsInOrder {
                run.coordinator.deliver(to: consumers, from: run.coordinator.time)
            }
        }
    }

    package func recordTracker(_ name: String, enabled: Bool) {}

    // MARK: - Parts

    private func change(_ name: String, enable: Bool, _ cause: ControlCause) -> PluginChange {
        if telemetry.reporter(named: name) != nil { return telemetry.switchReporter(name, enable: enable) }
        let event = ControlEvent(instance: name, change: enable ? .enable : .disable, cause: cause.rawValue)
        let (telemetry, isRecordedSet) = (telemetry, isRecordedSet)
        let outcome = try? there { replay -> PluginChange in
            let known = replay.trackerStatuses
            guard let now = known.first(where: { $0.name == name }) else { return .unknown(known: known.map(\.name)) }
            guard !isRecordedSet else { return .refused(PluginError.recordedSet(instance: name).description) }
            guard (now.state == .enabled) != enable else { return enable ? .alreadyEnabled : .alreadyDisabled }
            var refusal: String?
            for (_, run) in replay.runsInOrder {
                let answers = try? run.coordinator.change([event], at: run.coordinator.time)
                refusal = refusal ?? answers?.first?.error?.description
            }
            if let refusal { return .refused(refusal) }
            telemetry.changeSetup(ofTracker: name) { $0.enabled = enable }
            return .requested
        }
        return outcome ?? .refused("\(name): the replay did not come to it in time, or is over")
    }

    /// Makes a change in all open runs.
    private func control(_ event: ControlEvent) throws(ControlError) -> [ControlAnswer] {
        try ControlError.answers(to: [event]) { () throws(JobFailure) in
            try change([event], [], limit: telemetry.options.answerLimit)
        }
    }

    /// Does something with the replay on its thread, between two lines.
    private func there<Answer>(limit: Int64? = nil, _ body: @escaping (Replay) -> Answer) throws(JobFailure) -> Answer {
        let answer: Answer? = try control.perform(limit: limit ?? telemetry.options.answerLimit) { [weak self] in
            self?.replay.map(body)
        }
        guard let answer else { throw .ended }
        return answer
    }
}
