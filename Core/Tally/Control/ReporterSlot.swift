internal import Coordinator

/// A configured reporter: its instance, when there is one, and otherwise why not.
struct ReporterSlot: Sendable {
    let name: String
    var entry: PluginCatalog.Entry
    var configuration: String
    var instance: ReporterInstance?
    var failure = ""

    /// Makes its instance.
    func makeInstance(_ options: Telemetry.Options, _ log: PluginLog) throws(PluginError) -> ReporterInstance {
        try ReporterInstance(
            name: name,
            entry: entry,
            configuration: configuration,
            policy: options.mode == .live ? .dropOldest : .wait,
            filter: options.delivery.filter(for: name),
            log: log,
            ownThread: !options.reportersShareThread,
            resuming: options.reporterMarks[name]
        )
    }

    /// What it is at this moment.
    var status: PluginStatus {
        var status = PluginStatus(
            name: name,
            instance?.plugin ?? entry.description,
            state: instance?.isEnabled ?? false ? .enabled : failure.isEmpty ? .disabled : .failed,
            reason: failure
        )
        if let instance {
            let statistics = instance.statistics
            status.reporter = statistics
            status.reason = statistics.lastError
            status.commands = instance.commands
        }
        return status
    }
}
