package import HTTPTransfer
package import PluginKit
internal import Spooling
internal import Threads

/// Reports what players do as Common Media Client Data, version 2, in event mode (CTA-5004-B).
package final class CMCDReporter: HTTPDeliveringReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.cmcd",
        name: "CMCD",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: CMCDConfiguration.schemaText,
        traits: [.ownThreads, .network, .spills],
        readPaths: ["authority", "credentials.*.file"],
        writtenPaths: ["spool"]
    )

    /// Those of every spool, but for checkpoints: what a body still waits for is in memory alone.
    package static let commands = SpooledDelivery.commands.filter { !["checkpoint", "resume"].contains($0.name) }

    package let delivery: HTTPDelivery<CMCDConfiguration>
    private let farewells = Farewells()
    private var runs = RunsUnderway<RunReports>()

    package init(host: ReporterHost) { delivery = HTTPDelivery(host: host, answers: farewells.answers) }

    package var wants: OutputKinds { delivery.configuration?.wants ?? .gaps }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard let configuration = delivery.configuration, !configuration.spooling.quiet else { return outputs.count }
        return try delivery.spooled.deliver(
            outputs,
            making: { output, now, keep in
                let run = runs.run(of: output.origin) { RunReports(output.origin, configuration) }
                run.follow(output, output.origin) { batch in
                    content(batch, of: run.name, configuration, now: now).map(keep)
                }
                if output.kind == .runEnd { runs.endCurrent() }
            }
        )
    }

    /// A body as the spool keeps it; nil once the target has said farewell to the session.
    private func content(
        _ batch: ReportBatch,
        of run: String,
        _ configuration: CMCDConfiguration,
        now: Int64
    ) -> BeaconContent? {
        guard !farewells.includes(run, batch.session) else { return nil }
        return BeaconContent(
            StoredBeacon.Identity(run: run, instance: ":reports", ordinal: batch.last),
            session: batch.session,
            destination: configuration.destination,
            method: "POST",
            url: Array(configuration.url.utf8),
            headers: Array("Content-Type: application/cmcd\n".utf8),
            body: batch.body,
            credential: configuration.credential,
            expires: now + configuration.spooling.retry.age
        )
    }

    /// Has all go out that waits for more, and forgets the runs: what comes of them later is joined midway.
    package func closeAll() {
        let ended = runs.removeAll()
        guard let configuration = delivery.configuration, delivery.spooled.isRunning else { return }
        var contents: [BeaconContent] = []
        for run in ended {
            run.close { batch in
                let content = content(batch, of: run.name, configuration, now: delivery.spooled.now)
                if let content { contents.append(content) }
            }
        }
        delivery.spooled.deliver(contents)
    }

    package func completed(_ totals: JSONValue) -> JSONValue { farewells.added(to: totals) }
}

/// Sessions of which a target wants no more: it answered 410 (CTA-5004-B, event mode).
private final class Farewells: Sendable {
    /// So many are known; beyond, all are forgotten, and their targets say it again.
    private static let most = 10_000
    private static let gone = 410

    private let sessions = Guarded<Set<String>>([])
    private let heldBack = Guarded<Int64>(0)

    var answers: HTTPCarrier.Answers {
        HTTPCarrier.Answers(
            mayRetry: { TransferFailure.mayRetry(status: $0) },
            bytes: 0,
            read: { _, _ in },
            refused: { [self] beacon, status in
                guard status == Self.gone else { return }
                let name = Self.name(beacon.content.identity.run, beacon.content.session)
                sessions.with { sessions in
                    if sessions.count >= Self.most { sessions.removeAll() }
                    sessions.insert(name)
                }
            }
        )
    }

    /// Whether a session's body is not sent for that, which is counted.
    func includes(_ run: String, _ session: UInt32) -> Bool {
        let isGone = sessions.with { !$0.isEmpty && $0.contains(Self.name(run, session)) }
        if isGone { heldBack.with { $0 += 1 } }
        return isGone
    }

    /// The totals with how many bodies were not sent since their targets want no more: that is no loss.
    func added(to totals: JSONValue) -> JSONValue {
        guard case .object(var members) = totals else { return totals }
        members["held_back"] = .int(heldBack.with { $0 })
        return .object(members)
    }

    private static func name(_ run: String, _ session: UInt32) -> String { "\(run)/\(session)" }
}
