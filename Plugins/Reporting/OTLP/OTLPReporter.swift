package import HTTPTransfer
package import PluginKit
internal import Spooling
internal import Threads

/// Sends records as logs, sessions as traces and their metrics as histograms to a collector of OpenTelemetry.
package final class OTLPReporter: HTTPDeliveringReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.otlp",
        name: "OTLP",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: OTLPConfiguration.schemaText,
        traits: [.ownThreads, .network, .spills],
        readPaths: ["authority", "credentials.*.file"],
        writtenPaths: ["spool"]
    )

    /// Those of every spool, but for checkpoints: what a request still waits for is in memory alone.
    package static let commands = SpooledDelivery.commands.filter { !["checkpoint", "resume"].contains($0.name) }

    package let delivery: HTTPDelivery<OTLPConfiguration>
    private let rejections: Rejections
    private var runs = RunsUnderway<RunExport>()

    package init(host: ReporterHost) {
        rejections = Rejections(host)
        delivery = HTTPDelivery(host: host, answers: rejections.answers)
    }

    package var wants: OutputKinds { delivery.configuration?.wants ?? .gaps }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard let configuration = delivery.configuration, !configuration.spooling.quiet else { return outputs.count }
        return try delivery.spooled.deliver(
            outputs,
            making: { output, now, keep in
                let origin = output.origin
                let run = runs.run(of: origin) { RunExport(origin, configuration) }
                run.follow(output, origin) { batch, stream, resource in
                    keep(Self.content(batch, stream, of: run, resource, configuration, now: now))
                }
                if output.kind == .runEnd { runs.endCurrent() }
            }
        )
    }

    /// A request as the spool keeps it: the run says what is in it, and the present configuration where it goes.
    private static func content(
        _ batch: Batch,
        _ stream: String,
        of run: RunExport,
        _ resource: Message,
        _ configuration: OTLPConfiguration,
        now: Int64
    ) -> BeaconContent {
        BeaconContent(
            StoredBeacon.Identity(run: run.name, instance: stream, ordinal: batch.last),
            session: batch.session,
            destination: batch.signal.rawValue,
            method: "POST",
            url: Array((configuration.endpoint + batch.signal.path).utf8),
            headers: Array("Content-Type: \(run.encoding.contentType)\n".utf8),
            body: batch.body(resource, run.encoding),
            credential: configuration.credential,
            options: configuration.compresses ? .gzipWanted : [],
            expires: now + configuration.spooling.retry.age
        )
    }

    /// Has all go out that waits for more, and forgets the runs: what comes of them later is joined midway.
    package func closeAll() {
        let ended = runs.removeAll()
        guard let configuration = delivery.configuration, delivery.spooled.isRunning else { return }
        var contents: [BeaconContent] = []
        for run in ended {
            run.close { batch, stream, resource in
                contents.append(
                    Self.content(batch, stream, of: run, resource, configuration, now: delivery.spooled.now)
                )
            }
        }
        delivery.spooled.deliver(contents)
    }

    package func completed(_ totals: JSONValue) -> JSONValue { rejections.added(to: totals) }
}
