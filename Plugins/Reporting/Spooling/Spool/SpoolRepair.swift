internal import Database
internal import Glibc
internal import PluginKit

/// The tables of a spool.
enum SpoolSchema {
    /// The columns of a beacon, in the order of ``BeaconInsertion``'s parameters.
    static let columns =
        "run, instance, ordinal, session, destination, method, url, headers, body, credential, patches, options, "
        + "expires, attempts, due, size"
    /// Bytes of a beacon, as ``StoredBeacon/size`` counts them: what a damaged row says of itself is not to be trusted.
    static let size = "length(url) + length(headers) + length(body) + 200"
    /// The parameters of as many values.
    static let values = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16"

    private static let definitions = """
        place INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, instance TEXT NOT NULL, ordinal INTEGER NOT NULL,
        session INTEGER NOT NULL, destination TEXT NOT NULL, method TEXT NOT NULL, url BLOB NOT NULL,
        headers BLOB NOT NULL, body BLOB NOT NULL, credential TEXT NOT NULL, patches TEXT NOT NULL,
        options INTEGER NOT NULL, expires INTEGER NOT NULL, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
        size INTEGER NOT NULL
        """

    /// Makes the tables in a database that has none, all or none of them.
    ///
    /// That is done before SQLite writes a log beside the file, whose own header says from then on what it is.
    static func prepare(_ database: Database, _ kind: SpoolKind) throws(DatabaseError) {
        do throws(DatabaseError) {
            try database.run("BEGIN IMMEDIATE")
            if try !SpoolFile.hasTables(database, kind) {
                try database.run("PRAGMA application_id=\(kind.applicationID)")
                try database.run(text)
            }
            // Earlier versions made it: beacons are read in order of their places, mostly of few destinations.
            try database.run("DROP INDEX IF EXISTS beacons_by_destination")
            try database.run("COMMIT")
        } catch {
            if database.isInTransaction { try? database.run("ROLLBACK") }
            throw error
        }
    }

    /// The tables.
    ///
    /// `taken` has the highest number of each run and instance, `missing` the numbers below it that were lost.
    /// `unaccounted` has the destinations whose beacons are not all delivered, waiting or given up, and how many are
    /// not: none but those that a damaged page cost something.
    private static let text = """
        CREATE TABLE IF NOT EXISTS beacons (\(definitions));
        CREATE TABLE IF NOT EXISTS dead (\(definitions), reason TEXT NOT NULL, status INTEGER NOT NULL,
            died INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS taken (run TEXT NOT NULL, instance TEXT NOT NULL, ordinal INTEGER NOT NULL,
            seen INTEGER NOT NULL, PRIMARY KEY (run, instance)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS missing (run TEXT NOT NULL, instance TEXT NOT NULL, first INTEGER NOT NULL,
            last INTEGER NOT NULL, PRIMARY KEY (run, instance, first)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS counts (destination TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (destination, name)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS failures (destination TEXT PRIMARY KEY, failure TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, boot TEXT NOT NULL,
            since_boot INTEGER NOT NULL, wall INTEGER NOT NULL);
        CREATE VIEW IF NOT EXISTS unaccounted AS SELECT destination, sum(number) AS number FROM (
            SELECT destination, iif(name IN ('taken', 'resent'), count, -count) AS number FROM counts
            WHERE name NOT IN ('tries', 'already_taken', 'queue_full', 'unwritable', 'damaged')
            UNION ALL SELECT destination, -count(*) FROM beacons GROUP BY destination
            ) GROUP BY destination HAVING sum(number) <> 0;
        """
}

/// Opens a spool, also one that is damaged: what can be read of it goes on, the rest is told and kept aside.
struct SpoolRepair {
    private let old: Database
    private let spool: Spool
    private var saved = 0
    private var lost = 0

    /// Opens the spool of a path; nil keeps it in memory.
    ///
    /// What is no spool is refused and left as it is, and so is a damaged one that is only to be read.
    static func open(
        _ path: String?,
        _ kind: SpoolKind,
        for use: SpoolUse,
        log: (LogLevel, String) -> Void
    ) throws(DatabaseError) -> Spool {
        guard let path else { return try checking(Spool(path: nil, kind)) }
        let file = SpoolFile(at: path, kind)
        try file.check(path, for: use)
        do throws(DatabaseError) {
            return try whole(path, kind, for: use)
        } catch  where error.kind == .damaged {
            guard case .spool = file else { throw SpoolFile.refusal(path, SpoolFile.noDatabase) }
            guard use != .reading else {
                throw DatabaseError(
                    refused: "the spool '\(path)' is damaged; a drain, or the next program with it, moves it aside and "
                        + "goes on with what can be read",
                    path
                )
            }
            return try checking(replace(path, kind, error, log))
        }
    }

    /// Opens the spool of this process anew, which was found damaged.
    static func openAgain(
        _ path: String,
        _ kind: SpoolKind,
        log: (LogLevel, String) -> Void
    ) throws(DatabaseError) -> Spool {
        do throws(DatabaseError) {
            return try whole(path, kind, for: .keeping)
        } catch  where error.kind == .damaged {
            return try checking(replace(path, kind, error, log))
        }
    }

    private static func whole(_ path: String, _ kind: SpoolKind, for use: SpoolUse) throws(DatabaseError) -> Spool {
        let spool = try Spool(path: path, kind, for: use)
        try check(spool)
        return checking(spool)
    }

    private static func checking(_ spool: Spool) -> Spool {
        spool.beginCheck()
        return spool
    }

    /// Files that repairs of a spool have moved aside.
    static func aside(of path: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        let escaped = path.map { "*?[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        guard unsafe glob(escaped + ".damaged-*", 0, nil, &found) == 0, let names = unsafe found.gl_pathv else {
            return []
        }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe names[index].map { unsafe String(cString: $0) }
        }
    }

    /// Reads all of it; a page that cannot be read only once is no damage.
    private static func check(_ spool: Spool) throws(DatabaseError) {
        for _ in 0..<2 {
            let statement = try spool.database.prepare("PRAGMA quick_check(1)")
            if try statement.step(), statement.text(0) == "ok" { return }
        }
        throw DatabaseError(damaged: spool.database.path)
    }

    /// Moves the damaged file aside and takes over from it what can be read.
    private static func replace(
        _ path: String,
        _ kind: SpoolKind,
        _ error: DatabaseError,
        _ log: (LogLevel, String) -> Void
    ) throws(DatabaseError) -> Spool {
        let aside = "\(path).damaged-\(SystemClock.wall())"
        for ending in ["", "-wal", "-shm"] where unsafe access(OutputPlace.name(of: path + ending), F_OK) == 0 {
            unsafe rename(OutputPlace.name(of: path + ending), OutputPlace.name(of: aside + ending))
        }
        let spool = try Spool(path: path, kind)
        var repair = SpoolRepair(old: try Database(path: aside), spool: spool)
        try spool.begin()
        try repair.copy()
        try spool.add(Int64(repair.lost), to: DropReason.damaged.rawValue, of: "")
        try spool.measure()
        spool.clock = try SpoolClock(spool.database)
        try spool.commit()
        log(
            .error,
            "\(error.description); it was moved to '\(aside)', \(repair.saved) beacons go on and at least "
                + "\(repair.lost) are lost"
        )
        return spool
    }

    private init(old: Database, spool: Spool) {
        self.old = old
        self.spool = spool
    }

    private mutating func copy() throws(DatabaseError) {
        try copyTable("taken", columns: 4)
        try copyTable("missing", columns: 4)
        try copyTable("counts", columns: 3)
        try copyTable("failures", columns: 2)
        try copyTable("clock", columns: 5)
        saved = try copyPlaces("beacons", columns: 17)
        _ = try copyPlaces("dead", columns: 20)
    }

    /// Copies a small table as far as it can be read.
    private func copyTable(_ name: String, columns: Int32) throws(DatabaseError) {
        guard let rows = try? old.prepare("SELECT * FROM \(name)") else { return }
        let insertion = try insertion(name, columns)
        while (try? rows.step()) == true { try insertion.run(copying: rows, columns: columns) }
    }

    /// Copies a table of beacons with their places, so that what is in memory of them stays true.
    ///
    /// Rows are read one behind the other; where that fails they are asked for by their places, so that a damaged page
    /// costs what lies on it.
    private mutating func copyPlaces(_ name: String, columns: Int32) throws(DatabaseError) -> Int {
        guard let highest = try? old.number("SELECT seq FROM sqlite_sequence WHERE name = '\(name)'"),
            let next = try? old.prepare("SELECT * FROM \(name) WHERE place > ?1 ORDER BY place LIMIT 1"),
            let single = try? old.prepare("SELECT * FROM \(name) WHERE place = ?1")
        else {
            lost += 1
            return 0
        }
        let insertion = try insertion(name, columns)
        var count = 0
        var place: Int64 = 0
        var isReadable = true
        while place < highest {
            let rows = isReadable ? next : single
            rows.bind(1, isReadable ? place : place + 1)
            defer { rows.reset() }
            do throws(DatabaseError) {
                if try rows.step() {
                    place = rows.int(0)
                    try insertion.run(copying: rows, columns: columns)
                    count += 1
                    isReadable = true
                } else if isReadable {
                    break
                } else {
                    place += 1
                }
            } catch  where error.kind == .damaged && error.path == old.path {
                if !isReadable {
                    lost += 1
                    place += 1
                }
                isReadable = false
            }
        }
        if name == "beacons" { try spool.reserve(upTo: highest) }
        return count
    }

    private func insertion(_ table: String, _ columns: Int32) throws(DatabaseError) -> Statement {
        let values = (1...columns).map { "?\($0)" }.joined(separator: ", ")
        return try spool.database.prepare("INSERT OR REPLACE INTO \(table) VALUES (\(values))")
    }
}
