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

    package func enable(plugin name: String, cause: ControlCause) -> PluginChange { change(name, enable: true, cause) }

    package func disable(plugin name: String, cause: ControlCause) -> PluginChange {
        change(name, enable: false, cause)
    }

    package func configure(plugin name: String, _ configuration: JSONValue, cause: ControlCause) throws(ControlError) {
        let text = configuration.canonicalText
        if let slot = telemetry.reporter(named: name) {
            try slot.configure(text, limit: telemetry.options.answerLimit)
            telemetry.keep(configuration: text, ofReporter: name)
            return
        }
        _ = try control(ControlEvent(instance: name, change: .configure(text), cause: cause.rawValue)) {
            $0.changeSetup(ofTracker: name) { $0.configuration = text }
        }
    }

    package func command(
        plugin name: String,
        _ command: String,
        _ arguments: JSONValue,
        cause: ControlCause,
        limit: Int64?
    ) throws(ControlError) -> JSONValue {
        let (arguments, limit) = (arguments.canonicalText, limit ?? telemetry.options.answerLimit)
        if let slot = telemetry.reporter(named: name) {
            return try JSONValue(answer: slot.run(command, arguments, limit: limit), of: name)
        }
        let answer = try asking(name) { replay -> Result<String, PluginError>? in
            guard let run = replay.runsInOrder.last?.run.coordinator else {
                return .failure(.noOpenRun(instance: name))
            }
            let report = run.reports.first { $0.name == name }
            guard report?.commands.first(where: { $0.name == command })?.changesState == false else { return nil }
            return run.query(name, command, arguments: arguments, at: run.time)
        }
        switch answer {
        case .success(let text)?: return try JSONValue(answer: text, of: name)
        case .failure(let error)?: throw ControlError(error)
        case nil:
            let change = ControlEvent.Change.command(command, arguments: arguments)
            let answers = try control(ControlEvent(instance: name, change: change, cause: cause.rawValue)) { _ in }
            return try JSONValue(answer: answers.last?.text ?? "", of: name)
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
        limit: Int64,
        with others: @escaping () throws(PluginError) -> Void
    ) throws(JobFailure) -> Result<[ControlAnswer], PluginError> {
        let (isRecordedSet, name) = (isRecordedSet, events.first?.instance ?? "")
        return try there(limit: limit) { replay in
            do throws(PluginError) {
                if isRecordedSet { throw .recordedSet(instance: name) }
                let runs = replay.runsInOrder.map(\.run.coordinator)
                guard !runs.isEmpty else { throw .noOpenRun(instance: name) }
                return .success(try Self.change(events, rehearsals, in: runs[...], with: others))
            } catch {
                return .failure(error)
            }
        }
    }

    package func deliver(to consumers: [any OutputConsumer]) {
        _ = try? there { replay in
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

    /// Takes a change in all open runs, then notes it for those that begin later.
    private func control(
        _ event: ControlEvent,
        note: @escaping (Telemetry) -> Void
    ) throws(ControlError) -> [ControlAnswer] {
        let outcome: Result<[ControlAnswer], PluginError>
        do throws(JobFailure) {
            outcome = try change([event], [], limit: telemetry.options.answerLimit, with: {})
        } catch {
            throw ControlError(error, instance: event.instance)
        }
        switch outcome {
        case .success(let answers):
            if let error = answers.lazy.compactMap(\.error).first { throw ControlError(error) }
            note(telemetry)
            return answers
        case .failure(let error): throw ControlError(error)
        }
    }

    /// One run after the other, each ready before any takes the change.
    private static func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        in runs: ArraySlice<Coordinator>,
        with others: () throws(PluginError) -> Void
    ) throws(PluginError) -> [ControlAnswer] {
        guard let run = runs.first else {
            try others()
            return []
        }
        var rest: [ControlAnswer] = []
        let answers = try run.change(events, rehearsals: rehearsals, at: run.time) { () throws(PluginError) in
            rest = try change(events, rehearsals, in: runs.dropFirst(), with: others)
        }
        return answers + rest
    }

    private func asking<Answer>(_ name: String, _ body: @escaping (Replay) -> Answer) throws(ControlError) -> Answer {
        do throws(JobFailure) {
            return try there(body)
        } catch {
            throw ControlError(error, instance: name)
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
