package import Coordinator
package import PluginLoading
internal import Reporting
internal import System
package import TextEncoding

extension Telemetry {
    /// What all plugins of this process are: instances, libraries without an instance, and files that are not used.
    ///
    /// Trackers are shown as a run that begins now would have them; ``PlayerRun/plugins()`` shows those of a run.
    public func pluginStatuses() -> [PluginStatus] {
        let trackers = members.with { $0.setups }.map { setup in
            PluginStatus(name: setup.name, setup.entry.description, state: setup.enabled ? .enabled : .disabled)
        }
        return pluginStatuses(trackers: trackers)
    }

    /// The same with the trackers of a run.
    package func pluginStatuses(trackers: [PluginStatus]) -> [PluginStatus] {
        let (reporters, absent, retired) = members.with { ($0.reporters, $0.absent, $0.retired) }
        let counted = trackers.map { tracker in
            var tracker = tracker
            tracker.tracker?.lost = losses(of: tracker.name)
            return tracker
        }
        let instances = absent + counted + reporters.map(\.status)
        var rest: [PluginStatus] = []
        for plugin in catalog.plugins where !instances.contains(where: { $0.plugin == plugin.id }) {
            rest.append(PluginStatus(name: plugin.shortName, plugin, state: .loaded))
        }
        for shadowed in catalog.shadowed {
            var status = PluginStatus(
                name: PluginFile.shortName(of: shadowed.path),
                file: shadowed.path,
                state: .discovered,
                reason: "\(shadowed.first) has the same id and was found before"
            )
            status.plugin = shadowed.id
            rest.append(status)
        }
        for rejection in catalog.rejections where !absent.contains(where: { $0.file == rejection.path }) {
            var status = PluginStatus(
                name: PluginFile.shortName(of: rejection.path),
                file: rejection.path,
                state: rejection.quarantined == nil ? .rejected : .quarantined,
                reason: rejection.reason
            )
            status.sha256 = rejection.quarantined ?? ""
            rest.append(status)
        }
        var all = instances + rest + retired
        guard let quarantine = catalog.admission.quarantine else { return all }
        for entry in quarantine.entries {
            let places = all.indices.filter { all[$0].sha256 == entry.sha256 }
            for place in places where all[place].state == .stuck {
                all[place].reason += " The next start leaves the file out: replace it, or "
                all[place].reason += quarantine.wordsToRelease(entry) + "."
            }
            // One whose file is nowhere here.
            if places.isEmpty { all.append(PluginStatus(quarantined: entry)) }
        }
        return all
    }

    /// How many outputs of a tracker the queues of the reporters have cost in this process.
    package func losses(of tracker: String) -> UInt64 {
        reporterStatistics.reduce(0) { $0 + ($1.statistics.lostOf[tracker] ?? 0) }
    }

    /// Whether an instance of a plugin is configured.
    func hasInstance(of id: String) -> Bool {
        members.with { members in
            members.setups.contains { $0.entry.description.id == id }
                || members.reporters.contains { $0.entry.description.id == id }
        }
    }

    /// The reporter with a name, nil when there is none.
    package func reporter(named name: String) -> ReporterSlot? {
        members.with { members in members.reporters.first { $0.name == name } }
    }
}

// What is done with a reporter for all runs, and with a tracker in those of the caller.
extension Telemetry {
    /// Gives a reporter a new configuration, or has the change made in a tracker.
    package func configure(
        _ name: String,
        _ configuration: JSONValue,
        _ cause: ControlCause,
        tracker change: (ControlEvent) throws(ControlError) -> Void
    ) throws(ControlError) {
        let text = configuration.canonicalText
        guard let slot = reporter(named: name) else {
            return try change(ControlEvent(instance: name, change: .configure(text), cause: cause.rawValue))
        }
        try slot.configure(text, limit: options.answerLimit)
        keep(configuration: text, ofReporter: name)
    }

    /// Has a reporter that is not at work answer a command; nil when there is no such reporter.
    package func ask(_ name: String, _ command: String, _ arguments: JSONValue) throws(ControlError) -> JSONValue? {
        guard let slot = reporter(named: name) else { return nil }
        return try JSONValue(answer: slot.ask(command, arguments.canonicalText, log), of: name)
    }

    /// Gives a reporter a command; a tracker is asked for the answer to a query, or the command is made a change.
    ///
    /// `query` gives the answer to a query, nil for what is none, and `change` what a tracker answers to a change; both
    /// have a limit in ms.
    package func command(
        _ name: String,
        _ command: String,
        _ arguments: JSONValue,
        _ cause: ControlCause,
        limit: Int64?,
        query: (_ arguments: String, _ limit: Int64) throws(ControlError) -> Result<String, PluginError>?,
        change: (ControlEvent, _ limit: Int64) throws(ControlError) -> String?
    ) throws(ControlError) -> JSONValue {
        let (arguments, limit) = (arguments.canonicalText, limit ?? options.answerLimit)
        if let slot = reporter(named: name) {
            return try JSONValue(answer: slot.run(command, arguments, limit: limit), of: name)
        }
        if let answer = try query(arguments, limit) {
            return try JSONValue(answer: ControlError.converting(answer.get), of: name)
        }
        let command = ControlEvent.Change.command(command, arguments: arguments)
        let event = ControlEvent(instance: name, change: command, cause: cause.rawValue)
        return try JSONValue(answer: change(event, limit) ?? "", of: name)
    }
}

extension PluginStatus {
    /// Describes a file in quarantine that was not found.
    fileprivate init(quarantined entry: PluginQuarantine.Entry) {
        self.init(name: entry.plugin, file: "", state: .quarantined, reason: entry.reason)
        plugin = entry.plugin
        sha256 = entry.sha256
    }
}
