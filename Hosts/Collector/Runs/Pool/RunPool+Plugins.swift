package import Coordinator
package import PluginLoading
package import Setup
package import System
package import TextEncoding

// Changes of plugins in all runs: the ones that begin from now on have it at once, open ones before their next step.
extension RunPool: ChangedRuns {
    /// Nothing catches up beforehand: each run does when its turn comes.
    package func rehearse(_ events: [ControlEvent]) -> [TrackerRehearsal] { [] }

    package func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        limit: Int64
    ) throws(JobFailure) -> Result<[ControlAnswer], PluginError> {
        // A newer file that was put into the folder is for runs that begin; who wants it in open ones asks for it.
        let ofOpenRuns = events.filter { event in
            if case .replace = event.change { event.cause != ControlCause.file.rawValue } else { true }
        }
        for worker in workers where !ofOpenRuns.isEmpty {
            try worker.perform(limit: limit) { $0.add(change: ofOpenRuns) }
        }
        return .success(events.map { ControlAnswer(instance: $0.instance) })
    }

    package func deliver(to consumers: [any OutputConsumer]) {
        for worker in workers { _ = try? worker.perform(limit: 5_000) { $0.deliver() } }
    }

    package func recordTracker(_ name: String, enabled: Bool) {}
}

extension RunPool: ControlledPlayback {
    package var openRuns: [String] { overviews(limit: 1_000).map(\.id) }

    package func plugins() -> [PluginStatus] {
        telemetry.pluginStatuses(trackers: trackerStatuses)
    }

    /// What trackers are in the runs that begin now, with the figures of one that is open.
    private var trackerStatuses: [PluginStatus] {
        var reports: [TrackerReport] = []
        for worker in workers where reports.isEmpty {
            reports = (try? worker.perform(limit: 5_000) { $0.trackerReports }) ?? []
        }
        return telemetry.setups.map { setup in
            var status =
                reports.first { $0.name == setup.name }.map { PluginStatus($0) }
                ?? PluginStatus(name: setup.name, setup.entry.description, state: .enabled)
            if status.state == .enabled || status.state == .disabled {
                status.state = setup.enabled ? .enabled : .disabled
            }
            return status
        }
    }

    package func confirmedStatus(of name: String) throws(ControlError) -> PluginStatus? {
        telemetry.reporter(named: name)?.status ?? trackerStatuses.first { $0.name == name }
    }

    package func enable(plugin name: String, cause: ControlCause) -> PluginChange { change(name, enable: true, cause) }

    package func disable(plugin name: String, cause: ControlCause) -> PluginChange {
        change(name, enable: false, cause)
    }

    private func change(_ name: String, enable: Bool, _ cause: ControlCause) -> PluginChange {
        if telemetry.reporter(named: name) != nil { return telemetry.switchReporter(name, enable: enable) }
        let setups = telemetry.setups
        guard let now = setups.first(where: { $0.name == name }) else { return .unknown(known: setups.map(\.name)) }
        guard now.enabled != enable else { return enable ? .alreadyEnabled : .alreadyDisabled }
        telemetry.changeSetup(ofTracker: name) { $0.enabled = enable }
        let event = ControlEvent(instance: name, change: enable ? .enable : .disable, cause: cause.rawValue)
        do throws(JobFailure) {
            _ = try change([event], [], limit: telemetry.options.answerLimit)
        } catch {
            return .refused("\(name): the workers did not come to it in time; runs that begin from now on have it")
        }
        return .requested
    }

    package func configure(plugin name: String, _ configuration: JSONValue, cause: ControlCause) throws(ControlError) {
        try telemetry.configure(name, configuration, cause) { (event) throws(ControlError) in
            telemetry.changeSetup(ofTracker: name) { $0.configuration = configuration.canonicalText }
            _ = try controlled(event)
        }
    }

    package func command(
        plugin name: String,
        _ command: String,
        _ arguments: JSONValue,
        cause: ControlCause,
        limit: Int64?
    ) throws(ControlError) -> JSONValue {
        try telemetry.command(name, command, arguments, cause, limit: limit) { (_, _) throws(ControlError) in
            nil
        } change: { (event, _) throws(ControlError) in
            try controlled(event).last?.text
        }
    }

    private func controlled(_ event: ControlEvent) throws(ControlError) -> [ControlAnswer] {
        try ControlError.answers(to: [event]) { () throws(JobFailure) in
            try change([event], [], limit: telemetry.options.answerLimit)
        }
    }
}
