internal import Glibc
internal import Metrics
package import PluginKit
internal import Serving
internal import Threads

/// Tells Prometheus what was measured of sessions, at `/metrics`.
package final class PrometheusReporter: CommandHandlingReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.prometheus",
        name: "Prometheus",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: PrometheusConfiguration.schemaText,
        traits: [.ownThreads, .listens],
        readPaths: ["token.file"]
    )

    package static let commands = [
        CommandDescriptor("address", "Where Prometheus finds the metrics.", changesState: false),
        CommandDescriptor("stats", "Scrapes, and the series that there are.", changesState: false),
    ]

    private let host: ReporterHost
    private var configuration = PrometheusConfiguration()
    private var state: Guarded<ScrapedState>?
    private var server: MetricsServer?
    private var delivered: UInt64 = 0

    package init(host: ReporterHost) { self.host = host }

    package var wants: OutputKinds { [.events, .sessions, .runs, .gaps] }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try PrometheusConfiguration(reading: json)
    }

    package func enable() throws(ReporterFault) {
        guard server == nil else { return }
        // What was counted before it was disabled counts on.
        let state = self.state ?? Guarded(ScrapedState(configuration))
        server = try MetricsServer(configuration, state, host)
        self.state = state
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        state?.with { $0.add(outputs) }
        delivered += UInt64(outputs.count)
        return outputs.count
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: 0)
        delivered = 0
    }

    package func disable() {
        server?.end()
        server = nil
        state?.with { $0.forgetOpenSessions() }
    }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        guard let server, let state else { throw .refused("the reporter is not enabled; enable it first") }
        if command == "address" { return ["address": .string(server.address)] }
        let (scrapes, refused) = server.counts
        return [
            "scrapes": .int(scrapes), "refused": .int(refused), "series": .int(state.with { Int64($0.seriesCount) }),
        ]
    }
}
