internal import KafkaClient
package import PluginKit
internal import Spooling
internal import Threads

/// Writes what trackers say, events and archive lines to topics of Kafka.
///
/// With a spool each message is kept until a broker has it; without one it is in memory alone.
package final class KafkaReporter: CommandHandlingReporter, ReconfigurableReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.kafka",
        name: "Kafka",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: KafkaConfiguration.schemaText,
        traits: [.ownThreads, .network, .spills],
        readPaths: ["secrets.*.file"],
        writtenPaths: ["spool"]
    )

    package static let commands = SpooledDelivery.commands

    private let host: ReporterHost
    private let spooled: SpooledDelivery
    private var direct: DirectDelivery?
    private var carrier: KafkaCarrier?
    private var message: Message?
    private var configuration: KafkaConfiguration?
    private var isEnabled = false

    package init(host: ReporterHost) {
        self.host = host
        spooled = SpooledDelivery(host: host)
    }

    package var wants: OutputKinds { configuration?.wants ?? .gaps }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try KafkaConfiguration(reading: json)
    }

    /// Another producer takes the place of the present one, once that has brought away what it can in `drain_ms`.
    package func reconfigure(_ json: JSONValue) throws(ConfigurationError) {
        let next = try KafkaConfiguration(reading: json)
        guard isEnabled else {
            configuration = next
            return
        }
        if let configuration { try SpooledDelivery.checkSpool(next.spooling, isThatOf: configuration.spooling) }
        do throws(ReporterFault) {
            // What cannot be had is found before anything ends.
            _ = try next.settings()
            stop()
            try start(next)
            configuration = next
        } catch {
            if direct == nil, !spooled.isRunning, let configuration { try? start(configuration) }
            throw .unusable(key: "secrets or spool", value: "what they name", expected: error.description)
        }
    }

    package func enable() throws(ReporterFault) {
        guard let configuration else { return }
        try start(configuration)
        isEnabled = true
    }

    private func start(_ configuration: KafkaConfiguration) throws(ReporterFault) {
        message = Message(configuration)
        guard !configuration.spooling.quiet else { return }
        guard configuration.spooling.spool != nil else {
            direct = try DirectDelivery(configuration, host)
            return
        }
        try spooled.start(configuration.spooling) { () throws(ReporterFault) in
            let carrier = try KafkaCarrier(configuration.settings(), host)
            self.carrier = carrier
            return carrier
        }
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        if let direct { return direct.deliver(outputs) }
        guard spooled.isRunning, let message else { return outputs.count }
        return try spooled.deliver(outputs) { message.content($0, now: $1) }
    }

    package func flush(_ request: FlushRequest) {
        if let direct { direct.flush(request) } else { spooled.flush(request) }
    }

    package func disable() {
        isEnabled = false
        stop()
    }

    private func stop() {
        direct?.stop()
        if let direct { lastTotals = direct.totals() }
        direct = nil
        spooled.stop()
    }

    /// What became of messages until a delivery without a spool ended.
    private var lastTotals: JSONValue?

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        if command == "totals" || command == "stats", let totals = direct?.totals() ?? lastTotals { return totals }
        let answer = try spooled.run(command, arguments, configuration?.spooling) { () throws(ReporterFault) in
            // Only what drains sends anything.
            try KafkaCarrier(
                command == "drain" ? (configuration ?? KafkaConfiguration()).settings() : KafkaSettings(),
                host
            )
        }
        guard command == "totals", case .object(var members) = answer, let carrier else { return answer }
        members["repeats"] = .int((members["found"]?.int ?? 0) + carrier.repeats.with { $0 })
        return .object(members)
    }
}
