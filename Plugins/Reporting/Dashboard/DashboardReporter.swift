internal import Glibc
package import PluginKit
internal import Threads

/// Shows what goes on to browsers: the pages of a report, live.
package final class DashboardReporter: CommandHandlingReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.dashboard",
        name: "Dashboard",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: DashboardConfiguration.schemaText,
        traits: [.ownThreads, .listens],
        readPaths: ["token_file"],
        writtenPaths: ["database", "url_file"]
    )

    package static let commands = [
        CommandDescriptor("stats", "Browsers, requests, and what is kept.", changesState: false),
        CommandDescriptor("address", "The address of the dashboard, with its token.", changesState: false),
    ]

    private let host: ReporterHost
    private var configuration = DashboardConfiguration()
    private var model: LiveModel?
    private var session: DashboardSession?
    private var delivered: UInt64 = 0

    package init(host: ReporterHost) { self.host = host }

    package var wants: OutputKinds { [.events, .records, .beacons, .sessions, .runs] }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try DashboardConfiguration(reading: json)
    }

    package func enable() throws(ReporterFault) {
        guard session == nil else { return }
        // What was seen before it was disabled is shown on.
        let model = self.model ?? LiveModel(configuration)
        session = try DashboardSession(configuration, model, isNew: self.model == nil, host)
        self.model = model
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        model?.add(outputs)
        delivered += UInt64(outputs.count)
        return outputs.count
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: 0)
        delivered = 0
    }

    package func disable() {
        session?.end()
        session = nil
        model?.forgetOpenSessions()
    }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        guard let session else { throw .refused("the dashboard is not enabled; enable it first") }
        return command == "address" ? ["address": .string(session.address)] : session.statistics
    }
}
