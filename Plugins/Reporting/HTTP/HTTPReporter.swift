internal import HTTPTransfer
package import PluginKit
internal import Spooling

/// Sends beacons over HTTP, and keeps each in a spool until the server has answered.
///
/// What it took it either delivers or counts as dropped, with the reason.
package final class HTTPReporter: CommandHandlingReporter, ReconfigurableReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.http",
        name: "HTTP",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: HTTPConfiguration.schemaText,
        traits: [.ownThreads, .network, .spills],
        readPaths: ["authority", "credentials.*.file"],
        writtenPaths: ["spool"]
    )

    package static let commands = SpooledDelivery.commands

    /// Names of all reasons for which a beacon is dropped, as the counts have them.
    package static var dropReasons: [String] { DropReason.allCases.map(\.rawValue) }

    private let delivery: HTTPDelivery
    private var configuration: HTTPConfiguration?
    private var isEnabled = false

    package init(host: ReporterHost) { delivery = HTTPDelivery(host: host) }

    /// Without a spool on the disk it does not know what an earlier process has sent.
    package var wants: OutputKinds {
        configuration?.spooling.spool == nil ? [.beacons, .gaps] : [.beacons, .gaps, .recovered]
    }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try HTTPConfiguration(reading: json)
    }

    package func reconfigure(_ json: JSONValue) throws(ConfigurationError) {
        let next = try HTTPConfiguration(reading: json)
        if isEnabled { try delivery.reconfigure(next.transfer, next.spooling) }
        configuration = next
    }

    package func enable() throws(ReporterFault) {
        guard let configuration else { return }
        try delivery.start(configuration.transfer, configuration.spooling)
        isEnabled = true
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard let configuration, !configuration.spooling.quiet else { return outputs.count }
        let age = configuration.spooling.retry.age
        return try delivery.spooled.deliver(outputs) { output, now in
            output.beacon.map { BeaconContent($0, output.origin, now: now, age: age) }
        }
    }

    package func flush(_ request: FlushRequest) { delivery.spooled.flush(request) }

    package func disable() {
        isEnabled = false
        delivery.stop()
    }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        try delivery.run(command, arguments, configuration?.transfer ?? TransferOptions(), configuration?.spooling)
    }
}

/// How the reporter sends, keeps and gives up, as configured.
struct HTTPConfiguration: DeclaredConfiguration {
    /// How it keeps, tries again and gives up.
    var spooling = SpoolOptions()
    /// How it sends.
    var transfer = TransferOptions()

    static let keys: [Key] =
        SpoolOptions.keys.map { $0.moved(to: \.spooling) } + TransferOptions.keys.map { $0.moved(to: \.transfer) }
}
