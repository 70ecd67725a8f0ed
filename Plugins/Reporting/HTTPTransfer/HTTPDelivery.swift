package import PluginKit
package import Spooling

/// What a reporter that sends over HTTP is configured with, beside its own.
package protocol HTTPDeliveryConfiguration: DeclaredConfiguration {
    /// How it sends.
    var transfer: TransferOptions { get }
    /// How it keeps, tries again and gives up.
    var spooling: SpoolOptions { get }
}

/// A spool whose content is brought over HTTP, as it is configured.
///
/// Used on the reporter's thread.
package final class HTTPDelivery<Configuration: HTTPDeliveryConfiguration> {
    /// The spool and what sends.
    package let spooled: SpooledDelivery
    /// As it is configured; nil before it is.
    package private(set) var configuration: Configuration?
    private let answers: HTTPCarrier.Answers
    private var carrier: HTTPCarrier?
    private var isEnabled = false

    /// Delivers nothing before it is started; `answers` says how its servers' answers are read.
    package init(host: ReporterHost, answers: HTTPCarrier.Answers = .ofHTTP) {
        spooled = SpooledDelivery(host: host)
        self.answers = answers
    }

    fileprivate func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try Configuration(reading: json)
    }

    /// Goes on with another configuration; nothing has changed when it cannot be used.
    fileprivate func reconfigure(_ json: JSONValue) throws(ConfigurationError) {
        let next = try Configuration(reading: json)
        if isEnabled { try reconfigure(next.transfer, next.spooling) }
        configuration = next
    }

    /// Opens the spool and begins to send, unless it is to be quiet.
    ///
    /// - Throws: which secret cannot be had, or why the spool cannot be opened.
    fileprivate func start() throws(ReporterFault) {
        guard let configuration else { return }
        try start(configuration.transfer, configuration.spooling, configuration.transfer.secrets())
        isEnabled = true
    }

    private func start(
        _ transfer: TransferOptions,
        _ spooling: SpoolOptions,
        _ secrets: TransferOptions.Secrets
    ) throws(ReporterFault) {
        guard !spooling.quiet else { return }
        try spooled.start(spooling) { () throws(ReporterFault) in
            let carrier = try HTTPCarrier(transfer, secrets, answers)
            self.carrier = carrier
            return carrier
        }
    }

    private func reconfigure(_ transfer: TransferOptions, _ spooling: SpoolOptions) throws(ConfigurationError) {
        let secrets: TransferOptions.Secrets
        do throws(ReporterFault) {
            secrets = try transfer.secrets()
            if !spooled.isRunning { return try start(transfer, spooling, secrets) }
        } catch {
            throw .unusable(key: "credentials or spool", value: "what they name", expected: error.description)
        }
        guard let carrier else { return }
        // What waits for a secret is looked at again when there may be one.
        try spooled.reconfigure(spooling, makingDue: secrets.keys != carrier.names) {
            carrier.reconfigure(transfer, secrets)
        }
        carrier.names = secrets.keys
    }

    /// Ends the sending; `closing` puts into the spool before what still waits for more.
    fileprivate func stop(_ closing: () -> Void) {
        isEnabled = false
        closing()
        spooled.stop()
        carrier = nil
    }

    /// Runs a command of ``SpooledDelivery/commands``, also while nothing is sent.
    fileprivate func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        let transfer = configuration?.transfer ?? TransferOptions()
        return try spooled.run(command, arguments, configuration?.spooling) { [answers] () throws(ReporterFault) in
            // Only what drains sends anything.
            try HTTPCarrier(transfer, command == "drain" ? transfer.secrets() : [:], answers)
        }
    }
}

/// A reporter that brings what it makes of outputs over HTTP.
///
/// What it took it either delivers or counts as dropped, with the reason.
package protocol HTTPDeliveringReporter: CommandHandlingReporter, ReconfigurableReporter {
    associatedtype Configuration: HTTPDeliveryConfiguration

    /// What keeps and sends.
    var delivery: HTTPDelivery<Configuration> { get }

    /// Puts into the spool what still waits for more: nothing comes behind it.
    func closeAll()

    /// The answer to `totals` or `drain`, with what the reporter counts besides.
    func completed(_ totals: JSONValue) -> JSONValue
}

extension HTTPDeliveringReporter {
    package func closeAll() {}
    package func completed(_ totals: JSONValue) -> JSONValue { totals }

    package func configure(_ json: JSONValue) throws(ConfigurationError) { try delivery.configure(json) }

    /// What has begun goes on as it was configured; the address and how it is sent change at once.
    package func reconfigure(_ json: JSONValue) throws(ConfigurationError) { try delivery.reconfigure(json) }

    package func enable() throws(ReporterFault) { try delivery.start() }

    package func flush(_ request: FlushRequest) { delivery.spooled.flush(request) }

    package func disable() { delivery.stop(closeAll) }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        let answer = try delivery.run(command, arguments)
        return ["totals", "drain"].contains(command) ? completed(answer) : answer
    }
}
