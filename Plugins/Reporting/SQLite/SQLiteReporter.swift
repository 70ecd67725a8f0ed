internal import Database
internal import Glibc
internal import MetricTables
package import PluginKit

/// Keeps runs, sessions, events, records and beacons in a SQLite database, with views that make metrics of them.
package final class SQLiteReporter: CommandHandlingReporter, ReconfigurableReporter {
    package static let descriptor = ReporterDescriptor(
        id: "org.tally.reporter.sqlite",
        name: "SQLite",
        vendor: "Tally",
        version: "1.0.0",
        build: .tally(),
        configurationSchema: SQLiteConfiguration.schemaText,
        traits: .spills,
        writtenPaths: ["path"]
    )

    package static let commands = TableErasure.commands

    /// The version of the tables; a database of a later one is refused.
    package static var schemaVersion: Int64 { Schema.version }
    /// Names of all views.
    package static var views: [String] { MetricViews(.sqlite).all.map(\.name) }

    private let host: ReporterHost
    private var configuration: SQLiteConfiguration?
    private var store: OutputStore?
    private var delivered: UInt64 = 0
    private var dropped: UInt64 = 0
    /// Since when nothing can be written, ms; nil while all is well.
    private var failingSince: Int64?

    package init(host: ReporterHost) { self.host = host }

    package var wants: OutputKinds { configuration?.tables.wants ?? .ofTables }

    package func configure(_ json: JSONValue) throws(ConfigurationError) {
        configuration = try SQLiteConfiguration(reading: json)
    }

    package func reconfigure(_ json: JSONValue) throws(ConfigurationError) {
        let next = try SQLiteConfiguration(reading: json)
        if store != nil {
            do throws(OpeningError) {
                store = try OutputStore(next)
            } catch {
                throw .unusable(
                    key: "path",
                    value: "\"\(next.path)\"",
                    expected: "a database that can be written: \(error)"
                )
            }
        }
        configuration = next
    }

    package func enable() throws(ReporterFault) {
        guard let configuration, store == nil else { return }
        do throws(OpeningError) {
            store = try OutputStore(configuration)
        } catch {
            throw ReporterFault(error.description)
        }
    }

    package func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        guard let store else { return outputs.count }
        do throws(DatabaseError) {
            try store.insert(outputs)
            if failingSince != nil {
                host.log(.info, "the database '\(store.path)' can be written again")
                failingSince = nil
            }
            delivered += UInt64(outputs.count)
            return outputs.count
        } catch {
            guard error.mayPass, mayWait(after: error) else {
                dropped += UInt64(outputs.count)
                throw ReporterFault("\(error); a replay into this file restores what is lost")
            }
            return 0
        }
    }

    package func flush(_ request: FlushRequest) {
        host.answer(request, delivered: delivered, kept: 0, dropped: dropped)
        delivered = 0
        dropped = 0
    }

    package func disable() { store = nil }

    package func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        if command != "erase" { return [:] }
        let erasure = try TableErasure(arguments)
        guard let store else { throw .refused("the reporter is not enabled; enable it first") }
        do throws(DatabaseError) {
            let erased = try store.erase(run: erasure.run, session: erasure.session)
            return ["removed": .int(erased.rows), "overwritten": .bool(erased.isOverwritten)]
        } catch {
            throw .refused(error.description)
        }
    }

    /// Whether outputs are still worth keeping in the queue: a run's end must not wait for a full disk for ever.
    private func mayWait(after error: DatabaseError) -> Bool {
        let now = Self.milliseconds()
        guard let since = failingSince else {
            failingSince = now
            host.log(.warning, "\(error); outputs wait for it")
            return configuration.map { $0.patience > 0 } ?? false
        }
        return now - since < configuration?.patience ?? 0
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
