internal import Database
internal import MetricTables
internal import PluginKit

/// The open database: puts outputs into their tables, each batch in one transaction.
///
/// Whatever is there already, by run, instance and number, stays as it is.
final class OutputStore {
    private let database: Database
    private let keepsSamples: Bool
    private let statements: Insertions
    private let metrics: KeptMetrics
    /// What was erased, and is not taken again: a run's sessions, 0 for all of them.
    private var erased: [String: Set<Int64>]
    /// Where the output before came from.
    private var run = ""
    private var session: Int64 = -1
    private var isErased = false
    /// Whether the session of the output before is measured already.
    private var isKept = false

    /// The file.
    var path: String { database.path }

    init(_ configuration: SQLiteConfiguration) throws(OpeningError) {
        keepsSamples = configuration.tables.samples
        do throws(DatabaseError) {
            let path = configuration.path
            database = try Database(path: path, isPrivate: true, isForeignLink: OutputPlace.isForeignLink(path))
        } catch {
            throw OpeningError(error)
        }
        try Schema.prepare(database)
        do throws(DatabaseError) {
            try database.run("PRAGMA synchronous=\(configuration.synchronous.rawValue)")
            if configuration.largest > 0 {
                let pages = configuration.largest * 1_048_576 / max(try database.number("PRAGMA page_size"), 512)
                _ = try database.number("PRAGMA max_page_count=\(pages)")
            }
            statements = try Insertions(database)
            metrics = try KeptMetrics(database)
            erased = try Self.erasedSessions(database)
        } catch {
            throw OpeningError(error)
        }
    }

    /// Inserts all outputs of a batch, or none.
    func insert(_ outputs: OutputBatch) throws(DatabaseError) {
        do throws(DatabaseError) {
            try database.run("BEGIN IMMEDIATE")
            for index in outputs.indices { try insert(outputs[index]) }
            try database.run("COMMIT")
        } catch {
            if database.isInTransaction { try? database.run("ROLLBACK") }
            // Rows of the run and the session may be gone with the rest.
            (run, session) = ("", -1)
            throw error
        }
    }

    private func insert(_ output: OutputView) throws(DatabaseError) {
        let origin = output.origin
        if output.kind == .gap {
            return try statements.run(statements.loss) { $0.int(Int64(clamping: output.lostCount)) }
        }
        try enter(origin)
        if isErased { return }
        if let record = output.record {
            try statements.insert(record, origin)
        } else if let beacon = output.beacon {
            try statements.insert(beacon, origin)
        } else if let event = output.event {
            try output.kind == .event ? insert(event, origin) : statements.begin(event, origin)
        } else if output.kind == .sessionEnd {
            try statements.run(statements.sessionEnd, origin) { $0.int(origin.time) }
            if !isKept {
                try metrics.keep(origin)
                isKept = true
            }
        } else if output.kind == .runEnd {
            try statements.run(statements.runEnd) { row in
                row.text(origin.playerRunID)
                row.int(origin.time)
            }
        }
    }

    private func insert(_ event: EventView, _ origin: OriginView) throws(DatabaseError) {
        guard event.type.isFromPlayer else { return try statements.insert(control: event, origin) }
        if event.type == .playheadSample, !keepsSamples { return }
        try statements.insert(event, origin)
        if isKept, database.changes > 0 {
            try metrics.remove(origin)
            isKept = false
        }
        if event.type == .metadataChange { try statements.change(event, origin) }
    }

    /// Sees to it that the run and the session of an output have their rows: the reporter may have joined late.
    private func enter(_ origin: OriginView) throws(DatabaseError) {
        if origin.playerRunID == run, Int64(origin.session) == session { return }
        run = origin.playerRunID.string
        session = Int64(origin.session)
        let gone = erased[run] ?? []
        isErased = gone.contains(0) || session > 0 && gone.contains(session)
        isKept = false
        if gone.contains(0) { return }
        try statements.run(statements.runRow) { row in
            row.text(origin.playerRunID)
            row.int(origin.epochMicroseconds)
        }
        if session > 0, !isErased {
            try statements.run(statements.sessionRow, origin) { _ in }
            isKept = try metrics.has(origin)
        }
    }

    // MARK: - Erasing

    /// Removes everything of a run (session 0) or of one session, overwrites it on the disk, and remembers that.
    ///
    /// - Returns: How many rows went, and whether the log beside the file could be emptied: not while somebody reads an
    ///   older state of it.
    func erase(run: String, session: Int64) throws(DatabaseError) -> (rows: Int64, isOverwritten: Bool) {
        var rows: Int64 = 0
        try database.run("PRAGMA secure_delete=ON")
        do throws(DatabaseError) {
            try database.run("BEGIN IMMEDIATE")
            for table in Schema.tablesOfSessions + (session == 0 ? ["runs"] : []) {
                let removal = try database.prepare(
                    "DELETE FROM \(table) WHERE run = ?1" + (session == 0 ? "" : " AND session = ?2")
                )
                try removal.run(session == 0 ? [run] : [run, session])
                rows += Int64(database.changes)
            }
            try database.prepare("INSERT OR IGNORE INTO erasures (run, session) VALUES (?1, ?2)").run([run, session])
            try database.run("COMMIT")
        } catch {
            if database.isInTransaction { try? database.run("ROLLBACK") }
            throw error
        }
        erased[run, default: []].insert(session)
        (self.run, self.session) = ("", -1)
        let checkpoint = try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        let isOverwritten = try checkpoint.step() && checkpoint.int(0) == 0
        return (rows, isOverwritten)
    }

    private static func erasedSessions(_ database: Database) throws(DatabaseError) -> [String: Set<Int64>] {
        let rows = try database.prepare("SELECT run, session FROM erasures").rows { ($0.text(0), $0.int(1)) }
        return Dictionary(grouping: rows, by: \.0).mapValues { Set($0.map(\.1)) }
    }
}

extension DatabaseError {
    /// Whether trying again later may help: no room, a failing device, or another program that is writing.
    var mayPass: Bool {
        switch kind {
        case .full, .device, .locked: true
        case .damaged, .refused, .other: false
        }
    }
}
