package import HTTPTransfer
package import PluginKit
package import Spooling

/// Sends beacons over HTTP, and keeps each in a spool until the server has answered.
package final class HTTPReporter: HTTPDeliveringReporter {
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

    package let delivery: HTTPDelivery<HTTPConfiguration>

    package init(host: ReporterHost) { delivery = HTTPDelivery(host: host) }

    /// Without a spool on the disk it does not know what an earlier process has sent.
    package var wants: OutputKinds {
        delivery.configuration?.spooling.spool == nil ? [.beacons, .gaps] : [.beacons, .gaps, .recovered]
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard let configuration = delivery.configuration, !configuration.spooling.quiet else { return outputs.count }
        let age = configuration.spooling.retry.age
        return try delivery.spooled.deliver(outputs) { output, now in
            output.beacon.map { BeaconContent($0, output.origin, now: now, age: age) }
        }
    }
}

/// How the reporter sends, keeps and gives up, as configured.
package struct HTTPConfiguration: HTTPDeliveryConfiguration {
    /// How it keeps, tries again and gives up.
    package var spooling = SpoolOptions()
    /// How it sends.
    package var transfer = TransferOptions()

    package init() {}

    package static let keys: [Key] =
        SpoolOptions.keys.map { $0.moved(to: \.spooling) } + TransferOptions.keys.map { $0.moved(to: \.transfer) }
}
