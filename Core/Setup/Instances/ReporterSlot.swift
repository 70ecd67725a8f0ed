internal import Isolation
package import PluginLoading
package import Reporting
internal import System
internal import TextEncoding

/// A configured reporter: its instance, when there is one, and otherwise why not.
package struct ReporterSlot: Sendable {
    package let name: String
    package var entry: PluginCatalog.Entry
    package var configuration: String
    package var instance: ReporterInstance?
    package var failure = ""
    /// Makes its instance, here or in a process of its own.
    let make: ReporterMaker
    /// What it is told of the host.
    let host: HostStatus

    /// Makes its instance.
    package func makeInstance(_ options: Telemetry.Options, _ log: PluginLog) throws(PluginError) -> ReporterInstance {
        try ReporterInstance(
            name: name,
            entry: entry,
            configuration: configuration,
            policy: options.mode == .live ? .dropOldest : .wait,
            filter: options.delivery.filter(for: name),
            log: log,
            ownThread: !options.reportersShareThread,
            resuming: options.reporterMarks[name],
            status: { [host] in host.text },
            making: make
        )
    }

    /// What it is at this moment.
    package var status: PluginStatus {
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
            status.process = instance.process
            if !instance.failure.isEmpty { (status.state, status.reason) = (.failed, instance.failure) }
            status.commands = instance.commands
        }
        return status
    }
}

extension JSONValue {
    /// Reads a plugin's answer to a command; an empty one is null.
    package init(answer text: String, of instance: String) throws(ControlError) {
        guard !text.isEmpty else {
            self = .null
            return
        }
        do throws(JSONParseError) {
            self = try JSONParser().parse(text)
        } catch {
            throw ControlError(kind: .refused, "\(instance): the plugin's answer is no JSON: \(error)")
        }
    }
}

extension ReporterSlot {
    /// Hands the reporter a new configuration.
    package func configure(_ configuration: String, limit: Int64) throws(ControlError) {
        let error = try ControlError.awaiting(name) { () throws(JobFailure) in
            try running.configure(configuration, limit: limit)
        }
        if let error { throw ControlError(error) }
    }

    /// Gives the reporter a command; the answer is JSON text.
    package func run(_ command: String, _ arguments: String, limit: Int64) throws(ControlError) -> String {
        let result = try ControlError.awaiting(name) { () throws(JobFailure) in
            try running.run(command: command, arguments: arguments, limit: limit)
        }
        return try ControlError.converting(result.get)
    }

    /// Has an instance that is not at work answer a command; the answer is JSON text.
    package func ask(_ command: String, _ arguments: String, _ log: PluginLog) throws(ControlError) -> String {
        try ControlError.converting { () throws(PluginError) in
            try ReporterInstance.ask(
                command,
                arguments: arguments,
                name: name,
                entry: entry,
                configuration: configuration,
                log: log,
                making: make
            )
        }
    }

    private var running: ReporterInstance {
        get throws(JobFailure) {
            guard let instance else { throw .ended }
            return instance
        }
    }
}
