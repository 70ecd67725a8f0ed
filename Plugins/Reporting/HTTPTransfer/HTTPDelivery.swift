package import PluginKit
package import Spooling

/// A spool whose content is brought over HTTP: what reporters that do so have in common.
///
/// Used on the reporter's thread.
package final class HTTPDelivery {
    /// The spool and what sends.
    package let spooled: SpooledDelivery
    private let answers: HTTPCarrier.Answers
    private var carrier: HTTPCarrier?

    /// Delivers nothing before it is started; `answers` says how its servers' answers are read.
    package init(host: ReporterHost, answers: HTTPCarrier.Answers = .ofHTTP) {
        spooled = SpooledDelivery(host: host)
        self.answers = answers
    }

    /// Opens the spool and begins to send, unless it is to be quiet.
    ///
    /// - Throws: which secret cannot be had, or why the spool cannot be opened.
    package func start(_ transfer: TransferOptions, _ spooling: SpoolOptions) throws(ReporterFault) {
        try start(transfer, spooling, transfer.secrets())
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

    /// Goes on with another configuration, or begins with it when it was quiet.
    ///
    /// - Throws: what of it cannot be used; then nothing has changed.
    package func reconfigure(_ transfer: TransferOptions, _ spooling: SpoolOptions) throws(ConfigurationError) {
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

    /// Ends the sending.
    package func stop() {
        spooled.stop()
        carrier = nil
    }

    /// Runs a command of ``SpooledDelivery/commands``, also while nothing is sent.
    package func run(
        _ command: String,
        _ arguments: JSONValue,
        _ transfer: TransferOptions,
        _ spooling: SpoolOptions?
    ) throws(CommandError) -> JSONValue {
        try spooled.run(command, arguments, spooling) { [answers] () throws(ReporterFault) in
            // Only what drains sends anything.
            try HTTPCarrier(transfer, command == "drain" ? transfer.secrets() : [:], answers)
        }
    }
}
