internal import MetricTables
internal import PluginKit

/// The tables over a connection: puts outputs into them, each batch in one transaction.
///
/// Whatever is there already, by run, instance and number, stays as it is.
final class PostgresStore {
    private let connection: PostgresConnection
    private let keepsSamples: Bool
    /// What was erased, and is not taken again: a run's sessions, 0 for all of them.
    private var erased: [String: Set<Int64>] = [:]

    /// Connects, and makes the tables where they are not.
    init(_ configuration: PostgresConfiguration, password: String?) throws(PostgresError) {
        connection = try PostgresConnection(
            configuration.connection,
            password: password,
            limit: configuration.answer
        )
        keepsSamples = configuration.tables.samples
        try PostgresSchema.prepare(configuration.schema, connection)
        for row in try connection.run("SELECT run, session FROM erasures", []) {
            if let run = row[0], let session = row[1].flatMap({ Int64($0) }) {
                erased[run, default: []].insert(session)
            }
        }
    }

    /// Inserts all of these outputs, or none.
    func insert(_ outputs: some Collection<OutputView>) throws(PostgresError) {
        let rows = StagedRows(keepsSamples: keepsSamples)
        for output in outputs where !isErased(output) { rows.add(output) }
        do throws(PostgresError) {
            try connection.run("BEGIN")
            for statement in rows.statements { try connection.run(statement.text, statement.parameters) }
            var grown: Set<SessionName> = []
            for (table, text) in rows.filled {
                try connection.copy(text, into: table.staged, table.columns)
                let added = try connection.run(
                    """
                    WITH added AS (INSERT INTO \(table.name) SELECT * FROM \(table.staged) ORDER BY \(table.key)
                        ON CONFLICT DO NOTHING RETURNING run, session)
                    SELECT DISTINCT run, session FROM added
                    """,
                    []
                )
                if table.name == PostgresSchema.Table.events.name { grown = Set(added.compactMap { SessionName($0) }) }
            }
            for session in grown.sorted() { try forget(session) }
            for session in rows.ended.sorted() { try measure(session) }
            try connection.run("COMMIT")
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
    }

    private func isErased(_ output: OutputView) -> Bool {
        guard !erased.isEmpty, output.kind != .gap else { return false }
        let gone = erased[output.origin.playerRunID.string] ?? []
        let session = Int64(output.origin.session)
        return gone.contains(0) || session > 0 && gone.contains(session)
    }

    // MARK: - Measuring

    /// Forgets what was measured of a session that something came to.
    private func forget(_ session: SessionName) throws(PostgresError) {
        for table in PostgresSchema.kept {
            try connection.run("DELETE FROM \(table) WHERE run = $1 AND session = $2", session.parameters)
        }
    }

    /// Measures a session that has ended, unless that is kept.
    private func measure(_ session: SessionName) throws(PostgresError) {
        let kept = "SELECT 1 FROM kept_totals WHERE run = $1 AND session = $2"
        guard try connection.run(kept, session.parameters).isEmpty else { return }
        try connection.run(PostgresSchema.read, session.parameters)
        for statement in PostgresSchema.keep { try connection.run(statement) }
    }

    // MARK: - Erasing

    /// Removes everything of a run (session 0) or of one session, and remembers that.
    ///
    /// - Returns: how many rows went.
    func erase(run: String, session: Int64) throws(PostgresError) -> Int64 {
        var removed: Int64 = 0
        do throws(PostgresError) {
            try connection.run("BEGIN")
            for table in PostgresSchema.tablesOfSessions + (session == 0 ? ["runs"] : []) {
                let condition = session == 0 ? "run = $1" : "run = $1 AND session = $2"
                let rows = try connection.run(
                    "WITH gone AS (DELETE FROM \(table) WHERE \(condition) RETURNING 1) SELECT count(*) FROM gone",
                    session == 0 ? [run] : [run, "\(session)"]
                )
                removed += rows.first?.first?.flatMap { Int64($0) } ?? 0
            }
            try connection.run("INSERT INTO erasures VALUES ($1, $2) ON CONFLICT DO NOTHING", [run, "\(session)"])
            try connection.run("COMMIT")
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
        erased[run, default: []].insert(session)
        return removed
    }
}

/// A session of a run.
struct SessionName: Hashable, Comparable {
    let run: String
    let session: Int64

    init(_ origin: OriginView) {
        run = origin.playerRunID.string
        session = Int64(origin.session)
    }

    /// Of a row with the run and the session.
    init?(_ row: [String?]) {
        guard row.count == 2, let run = row[0], let session = row[1].flatMap({ Int64($0) }) else { return nil }
        self.run = run
        self.session = session
    }

    var parameters: [String?] { [run, "\(session)"] }

    static func < (one: SessionName, other: SessionName) -> Bool {
        (one.run, one.session) < (other.run, other.session)
    }
}
