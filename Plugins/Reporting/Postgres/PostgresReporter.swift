internal import MetricTables
package import PluginKit

/// Keeps runs, sessions, events, records and beacons in a PostgreSQL database, with views that make metrics of them.
package final class PostgresReporter: CommandHandlingReporter, ReconfigurableReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.postgres",
        name: "PostgreSQL",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: PostgresConfiguration.schemaText,
        traits: [.network, .spills],
        readPaths: ["password.file"]
    )

    package static let commands = TableErasure.commands

    /// The waits before a connection is tried again, ms.
    private static let waits: [Int64] = [0, 200, 500, 1_000, 2_000, 5_000]

    private let host: ReporterHost
    private var configuration: PostgresConfiguration?
    private var password: String?
    private var store: PostgresStore?
    private var isEnabled = false
    private var delivered: UInt64 = 0
    private var dropped: UInt64 = 0
    /// Since when nothing can be written, ms; nil while all is well.
    private var failingSince: Int64?
    /// How often connecting failed in a row, and when it is tried again, ms.
    private var failures = 0
    private var nextTry: Int64 = 0
    /// What was wrong with the last try.
    private var lastFailure: PostgresError?

    package init(host: ReporterHost) { self.host = host }

    package var wants: OutputKinds { configuration?.tables.wants ?? .ofTables }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try PostgresConfiguration(reading: json)
    }

    package func reconfigure(_ json: JSONValue) throws(ConfigurationError) {
        let next = try PostgresConfiguration(reading: json)
        if isEnabled {
            do {
                let secret = try next.password?.read("password")
                store = try PostgresStore(next, password: secret)
                password = secret
            } catch {
                throw .unusable(key: "connection", value: "the server", expected: "one that takes outputs: \(error)")
            }
        }
        configuration = next
    }

    /// A server that cannot be reached is no reason not to begin: outputs wait for it.
    package func enable() throws(ReporterFault) {
        guard let configuration, !isEnabled else { return }
        do throws(SecretPlace.Failure) {
            password = try configuration.password?.read("password")
        } catch {
            throw ReporterFault(error.description)
        }
        do throws(PostgresError) {
            store = try PostgresStore(configuration, password: password)
        } catch {
            guard error.mayPass else { throw ReporterFault(error.description) }
            failed(error)
        }
        isEnabled = true
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard isEnabled else { return outputs.count }
        do throws(PostgresError) {
            let refused = try insert(outputs[...], into: connected())
            dropped += refused
            delivered += UInt64(outputs.count) - refused
        } catch {
            failed(error)
            if isPatient { return 0 }
            dropped += UInt64(outputs.count)
            throw ReporterFault("\(error); a replay restores what is lost")
        }
        if failingSince != nil {
            host.log(.info, "the database takes outputs again")
            failingSince = nil
        }
        return outputs.count
    }

    /// Inserts outputs; what the database refuses is found by halves, so that it costs nothing else.
    ///
    /// - Returns: how many were refused.
    /// - Throws: what may pass.
    private func insert(_ outputs: Slice<OutputBatch>, into store: PostgresStore) throws(PostgresError) -> UInt64 {
        do throws(PostgresError) {
            try store.insert(outputs)
            return 0
        } catch {
            if error.mayPass { throw error }
            guard outputs.count > 1 else {
                if dropped == 0 { host.log(.error, "an output is dropped: \(error)") }
                return 1
            }
            let middle = outputs.startIndex + outputs.count / 2
            return try insert(outputs[..<middle], into: store) + insert(outputs[middle...], into: store)
        }
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: dropped)
        delivered = 0
        dropped = 0
    }

    package func disable() {
        store = nil
        isEnabled = false
    }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        if command != "erase" { return [:] }
        let erasure = try TableErasure(arguments)
        guard isEnabled else { throw .refused("the reporter is not enabled; enable it first") }
        do throws(PostgresError) {
            return ["removed": .int(try connected().erase(run: erasure.run, session: erasure.session))]
        } catch {
            failed(error)
            throw .refused(error.description)
        }
    }

    // MARK: - Connecting

    /// The tables, over a connection that there is or that is made.
    ///
    /// - Throws: why there is none; while it is too early to try again, what was wrong before.
    private func connected() throws(PostgresError) -> PostgresStore {
        if let store { return store }
        guard let configuration, PostgresConnection.now() >= nextTry else {
            throw lastFailure ?? .unreachable("nobody has tried yet")
        }
        let made = try PostgresStore(configuration, password: password)
        (store, failures) = (made, 0)
        return made
    }

    /// Gives the connection up, and says so the first time.
    private func failed(_ error: PostgresError) {
        let now = PostgresConnection.now()
        guard store != nil || now >= nextTry else { return }
        store = nil
        lastFailure = error
        failures += 1
        nextTry = now + Self.waits[min(failures, Self.waits.count - 1)]
        guard failingSince == nil else { return }
        failingSince = now
        host.log(.warning, "\(error); outputs wait for it")
    }

    /// Whether outputs are still worth keeping in the queue: a run's end must not wait for a server for ever.
    private var isPatient: Bool {
        guard let configuration, let failingSince else { return true }
        return PostgresConnection.now() - failingSince < configuration.patience
    }
}
