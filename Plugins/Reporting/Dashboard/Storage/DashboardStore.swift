internal import Database
internal import Metrics
internal import PluginKit
internal import Viewing

/// The file that keeps ended sessions, their pages and metrics over a restart; used by one thread at a time.
final class DashboardStore {
    /// Tells the file from those of other programs: "TDB1".
    private static let application: Int64 = 0x5444_4231
    /// The version of the tables; a file of a later one is refused.
    private static let version: Int64 = 1
    private static let tables = """
        CREATE TABLE sessions (run TEXT NOT NULL, session INTEGER NOT NULL, loaded_us INTEGER NOT NULL,
            ended_us INTEGER NOT NULL, badness INTEGER NOT NULL, personal INTEGER NOT NULL, cells TEXT NOT NULL, page BLOB,
            PRIMARY KEY (run, session)) STRICT;
        CREATE INDEX sessions_by_end ON sessions (ended_us);
        CREATE TABLE sets (begin_us INTEGER PRIMARY KEY, metrics BLOB NOT NULL) STRICT;
        CREATE TABLE minutes (minute INTEGER NOT NULL, asset TEXT NOT NULL, is_total INTEGER NOT NULL, figures TEXT NOT NULL,
            PRIMARY KEY (minute, asset, is_total)) STRICT;
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        """

    /// Tables that came later; a program that does not know them leaves them alone.
    private static let moreTables = """
        CREATE TABLE IF NOT EXISTS courses (asset TEXT NOT NULL, minute INTEGER NOT NULL, figures TEXT NOT NULL,
            PRIMARY KEY (asset, minute)) STRICT;
        CREATE TABLE IF NOT EXISTS errors (code TEXT PRIMARY KEY, message TEXT, id TEXT, domain TEXT,
            personal INTEGER NOT NULL) STRICT;
        """

    private let database: Database
    private let personal: Bool
    private let keep: Int64
    private let session: Statement
    private let set: Statement
    private let minute: Statement
    private let course: Statement
    private let errorText: Statement

    /// Opens the file, or makes it.
    ///
    /// - Throws: why it cannot be used; it is then as it was.
    init(_ configuration: DashboardConfiguration) throws(ReporterFault) {
        personal = configuration.personal
        keep = configuration.keep
        let path = configuration.database
        do throws(DatabaseError) {
            let isForeignLink = OutputPlace.isForeignLink(path)
            database = try Database(path: path, isPrivate: true, isForeignLink: isForeignLink)
            // Two dashboards in one file would forget each other's sessions.
            try database.run("PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE")
            try Self.prepare(database)
            try database.run(Self.moreTables)
            try database.run("COMMIT; PRAGMA synchronous=NORMAL")
            session = try database.prepare("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            set = try database.prepare("INSERT OR REPLACE INTO sets VALUES (?, ?)")
            minute = try database.prepare("INSERT OR REPLACE INTO minutes VALUES (?, ?, ?, ?)")
            course = try database.prepare("INSERT OR REPLACE INTO courses VALUES (?, ?, ?)")
            errorText = try database.prepare("INSERT OR REPLACE INTO errors VALUES (?, ?, ?, ?, ?)")
        } catch {
            throw ReporterFault(error.description)
        }
    }

    private static func prepare(_ database: Database) throws(DatabaseError) {
        let application = try database.number("PRAGMA application_id")
        let found = try database.number("PRAGMA user_version")
        guard application == Self.application else {
            guard application == 0, found == 0, try database.number("SELECT count(*) FROM sqlite_schema") == 0 else {
                throw DatabaseError(
                    refused: "'\(database.path)' is the database of another program and was left as it is; set "
                        + "\"database\" to another file",
                    database.path
                )
            }
            return try database.run(tables)
        }
        guard found <= version else {
            throw DatabaseError(
                refused: "'\(database.path)' has tables of version \(found), and this dashboard knows them up to "
                    + "\(version); use a later Tally, or another file",
                database.path
            )
        }
    }

    /// What was stored and is not over; `now` is the wall clock, us since 1970.
    func read(at now: Int64) throws(ReporterFault) -> UnsavedSessions {
        do throws(DatabaseError) {
            try prune(at: now)
            let pages = personal ? "page" : "CASE WHEN personal THEN NULL ELSE page END"
            let sessions = try database.prepare(
                "SELECT run, session, loaded_us, ended_us, badness, cells, \(pages) FROM sessions ORDER BY ended_us"
            ).rows { row in
                KeptSession(
                    run: row.text(0),
                    number: UInt32(clamping: row.int(1)),
                    loadedAt: row.int(2),
                    endedAt: row.int(3),
                    badness: UInt64(bitPattern: row.int(4)),
                    row: Array(row.text(5).utf8),
                    packedPage: row.isNull(6) ? nil : row.bytes(6)
                )
            }
            let sets = try database.prepare("SELECT begin_us, metrics FROM sets").rows { row in
                (begin: row.int(0), bytes: row.bytes(1))
            }
            let minutes = try database.prepare("SELECT minute, asset, is_total, figures FROM minutes").rows { row in
                StoredMinute(
                    asset: row.int(2) == 1 ? nil : row.text(1),
                    minute: row.int(0),
                    numbers: Self.numbers(row.text(3))
                )
            }
            let courses = try database.prepare("SELECT asset, minute, figures FROM courses").rows { row in
                StoredCourse(asset: row.text(0), minute: row.int(1), numbers: Self.numbers(row.text(2)))
            }
            let shown = personal ? "" : " WHERE NOT personal"
            let errors = try database.prepare("SELECT code, message, id, domain FROM errors" + shown).rows { row in
                func text(_ column: Int32) -> String? { row.isNull(column) ? nil : row.text(column) }
                return StoredErrorText(code: row.text(0), message: text(1), id: text(2), domain: text(3))
            }
            return UnsavedSessions(
                sessions: sessions,
                // A set of other metrics cannot be added to those of today: they begin anew.
                sets: sets.compactMap { stored in (try? MetricSet(decoding: stored.bytes)).map { (stored.begin, $0) } },
                minutes: minutes,
                courses: courses,
                errors: errors
            )
        } catch {
            throw ReporterFault(error.description)
        }
    }

    /// Stores what has changed, and removes what is over.
    func write(_ unsaved: UnsavedSessions, at now: Int64) throws(ReporterFault) {
        do throws(DatabaseError) {
            try database.run("BEGIN IMMEDIATE")
            for kept in unsaved.sessions { try write(kept) }
            for stretch in unsaved.sets { try set.run([stretch.begin, stretch.set.encode()]) }
            for one in unsaved.minutes {
                try minute.run([one.minute, one.asset ?? "", one.asset == nil ? 1 : 0 as Int64, Self.text(one.numbers)])
            }
            for one in unsaved.courses { try course.run([one.asset, one.minute, Self.text(one.numbers)]) }
            for one in unsaved.errors { try write(one) }
            try prune(at: now)
            try database.run("COMMIT")
        } catch {
            if database.isInTransaction { try? database.run("ROLLBACK") }
            throw ReporterFault(error.description)
        }
    }

    private func write(_ kept: KeptSession) throws(DatabaseError) {
        session.bind(1, kept.run)
        session.bind(2, Int64(kept.number))
        session.bind(3, kept.loadedAt)
        session.bind(4, kept.endedAt)
        session.bind(5, Int64(bitPattern: kept.badness))
        session.bind(6, personal ? 1 : 0 as Int64)
        session.bind(7, String(decoding: kept.row, as: UTF8.self))
        if let page = kept.page {
            session.bind(8, kept.isPacked ? page : Gzip.packed(page))
        } else {
            session.bindNull(8)
        }
        try session.run()
    }

    private func write(_ one: StoredErrorText) throws(DatabaseError) {
        errorText.bind(1, one.code)
        for (place, text) in [(2, one.message), (3, one.id), (4, one.domain)] as [(Int32, String?)] {
            if let text { errorText.bind(place, text) } else { errorText.bindNull(place) }
        }
        errorText.bind(5, personal ? 1 : 0 as Int64)
        try errorText.run()
    }

    private static func numbers(_ text: String) -> [Int64] { text.split(separator: " ").compactMap { Int64($0) } }

    private static func text(_ numbers: [Int64]) -> String {
        numbers.map { String($0) }.joined(separator: " ")
    }

    private func prune(at now: Int64) throws(DatabaseError) {
        try database.run(
            """
            DELETE FROM sessions WHERE ended_us <= \(now - keep);
            DELETE FROM sets WHERE begin_us <= \(now - keep - max(keep / 60, 1_000_000));
            DELETE FROM minutes WHERE minute <= \(now / 60_000_000 - 60);
            """
        )
    }
}
