internal import Database
internal import PluginKit

/// The beacons that were taken and are not settled, in a SQLite database.
///
/// Used by one thread. Changes are in a transaction that ``commit()`` ends: what is not committed is not taken. Without a
/// file everything is in memory and gone with the process.
final class Spool {
    /// The columns of a beacon, in the order in which ``bind(_:to:)`` and ``beacon(_:)`` have them.
    private static let columns =
        "run, instance, ordinal, session, destination, method, url, headers, body, credential, patches, options, "
        + "expires, attempts, due, size"
    /// Reads the beacon at a place.
    static let rowText = "SELECT \(columns), place FROM beacons WHERE place = ?1"
    private static let places = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16"

    private static let schema = """
        CREATE TABLE IF NOT EXISTS beacons (place INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL,
            instance TEXT NOT NULL, ordinal INTEGER NOT NULL, session INTEGER NOT NULL, destination TEXT NOT NULL,
            method TEXT NOT NULL, url BLOB NOT NULL, headers BLOB NOT NULL, body BLOB NOT NULL,
            credential TEXT NOT NULL, patches TEXT NOT NULL, options INTEGER NOT NULL, expires INTEGER NOT NULL,
            attempts INTEGER NOT NULL, due INTEGER NOT NULL, size INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS beacons_by_destination ON beacons (destination, place);
        CREATE TABLE IF NOT EXISTS dead (place INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL,
            instance TEXT NOT NULL, ordinal INTEGER NOT NULL, session INTEGER NOT NULL, destination TEXT NOT NULL,
            method TEXT NOT NULL, url BLOB NOT NULL, headers BLOB NOT NULL, body BLOB NOT NULL,
            credential TEXT NOT NULL, patches TEXT NOT NULL, options INTEGER NOT NULL, expires INTEGER NOT NULL,
            attempts INTEGER NOT NULL, due INTEGER NOT NULL, size INTEGER NOT NULL,
            reason TEXT NOT NULL, status INTEGER NOT NULL, died INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS taken (run TEXT NOT NULL, instance TEXT NOT NULL, ordinal INTEGER NOT NULL,
            seen INTEGER NOT NULL, PRIMARY KEY (run, instance)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS counts (destination TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (destination, name)) WITHOUT ROWID;
        """

    let database: Database
    private let insertion: Statement
    private let burial: Statement
    private let deletion: Statement
    private let postponement: Statement
    private let selection: Statement
    private let oldest: Statement
    private let noted: Statement
    private let note: Statement
    private let count: Statement
    /// Bytes of all beacons, about.
    private(set) var bytes: Int64 = 0
    /// The highest number that was taken, by run and instance.
    private var highest: [Stream: UInt64] = [:]

    private struct Stream: Hashable {
        let run: String
        let instance: String
    }

    /// Opens a spool; nil keeps it in memory.
    init(path: String?) throws(DatabaseError) {
        let database = try Database(path: path ?? ":memory:")
        self.database = database
        try database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY")
        try database.run(Self.schema)
        insertion = try database.prepare(
            "INSERT INTO beacons (\(Self.columns)) VALUES (\(Self.places)) RETURNING place"
        )
        burial = try database.prepare(
            "INSERT INTO dead (\(Self.columns), reason, status, died) VALUES (\(Self.places), ?17, ?18, ?19)"
        )
        deletion = try database.prepare("DELETE FROM beacons WHERE place = ?1")
        postponement = try database.prepare("UPDATE beacons SET attempts = ?2, due = ?3 WHERE place = ?1")
        selection = try database.prepare(
            "SELECT \(Self.columns), place FROM beacons WHERE destination = ?1 AND place > ?2 ORDER BY place LIMIT ?3"
        )
        oldest = try database.prepare("SELECT \(Self.columns), place FROM beacons ORDER BY place LIMIT 1")
        noted = try database.prepare("SELECT ordinal FROM taken WHERE run = ?1 AND instance = ?2")
        note = try database.prepare(
            "INSERT OR REPLACE INTO taken (run, instance, ordinal, seen) VALUES (?1, ?2, ?3, ?4)"
        )
        count = try database.prepare(
            "INSERT INTO counts (destination, name, count) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (destination, name) DO UPDATE SET count = count + ?3"
        )
        bytes = try sum()
    }

    // MARK: - Transactions

    /// Begins a transaction unless one is open.
    func begin() throws(DatabaseError) {
        if !database.isInTransaction {
            try database.run("BEGIN IMMEDIATE")
        }
    }

    /// Makes all changes lasting.
    func commit() throws(DatabaseError) {
        if database.isInTransaction {
            try database.run("COMMIT")
        }
    }

    /// Takes all changes since the last commit back.
    func rollBack() {
        if database.isInTransaction {
            try? database.run("ROLLBACK")
        }
        highest = [:]
        bytes = (try? sum()) ?? bytes
    }

    // MARK: - Beacons

    /// Takes a beacon and gives its place; nil when it was taken before.
    func take(_ beacon: StoredBeacon, now: Int64) throws(DatabaseError) -> Int64? {
        let stream = Stream(run: beacon.identity.run, instance: beacon.identity.instance)
        guard try beacon.identity.ordinal > lastTaken(stream) else { return nil }
        let place = try insert(beacon)
        highest[stream] = beacon.identity.ordinal
        note.bind(1, stream.run)
        note.bind(2, stream.instance)
        note.bind(3, Int64(bitPattern: beacon.identity.ordinal))
        note.bind(4, now)
        try note.run()
        return place
    }

    /// Removes a beacon that is settled.
    func remove(_ beacon: StoredBeacon) throws(DatabaseError) {
        deletion.bind(1, beacon.place)
        try deletion.run()
        if database.changes > 0 {
            bytes -= Int64(beacon.size)
        }
    }

    /// Moves a beacon to the dead letters.
    func bury(_ beacon: StoredBeacon, _ reason: DropReason, status: Int, now: Int64) throws(DatabaseError) {
        bind(beacon, to: burial)
        burial.bind(17, reason.rawValue)
        burial.bind(18, Int64(status))
        burial.bind(19, now)
        try burial.run()
        try remove(beacon)
    }

    /// Notes how often a beacon was tried, and when it may be tried again.
    func postpone(_ beacon: StoredBeacon) throws(DatabaseError) {
        postponement.bind(1, beacon.place)
        postponement.bind(2, beacon.attempts)
        postponement.bind(3, beacon.due)
        try postponement.run()
    }

    /// Beacons of a destination behind a place, in order.
    func beacons(of destination: String, behind place: Int64, limit: Int) throws(DatabaseError) -> [StoredBeacon] {
        defer { selection.reset() }
        selection.bind(1, destination)
        selection.bind(2, place)
        selection.bind(3, Int64(limit))
        var beacons: [StoredBeacon] = []
        while try selection.step() {
            beacons.append(Self.beacon(selection))
        }
        return beacons
    }

    /// The beacon that was taken first.
    func first() throws(DatabaseError) -> StoredBeacon? {
        defer { oldest.reset() }
        return try oldest.step() ? Self.beacon(oldest) : nil
    }

    /// The destinations that beacons wait for.
    func destinations() throws(DatabaseError) -> [String] {
        let statement = try database.prepare("SELECT DISTINCT destination FROM beacons ORDER BY destination")
        var names: [String] = []
        while try statement.step() {
            names.append(statement.text(0))
        }
        return names
    }

    // MARK: - Counts

    /// Adds to a lasting count.
    func add(_ number: Int64, to name: String, of destination: String) throws(DatabaseError) {
        count.bind(1, destination)
        count.bind(2, name)
        count.bind(3, number)
        try count.run()
    }

    // MARK: - Parts

    /// Counts anew how many bytes there are.
    func measure() throws(DatabaseError) {
        bytes = try sum()
    }

    private func sum() throws(DatabaseError) -> Int64 {
        let statement = try database.prepare("SELECT coalesce(sum(size), 0) FROM beacons")
        return try statement.step() ? statement.int(0) : 0
    }

    private func lastTaken(_ stream: Stream) throws(DatabaseError) -> UInt64 {
        if let ordinal = highest[stream] {
            return ordinal
        }
        defer { noted.reset() }
        noted.bind(1, stream.run)
        noted.bind(2, stream.instance)
        let ordinal = try noted.step() ? UInt64(bitPattern: noted.int(0)) : 0
        highest[stream] = ordinal
        return ordinal
    }

    /// Puts a beacon in without asking whether it was taken before.
    func insert(_ beacon: StoredBeacon) throws(DatabaseError) -> Int64 {
        defer { insertion.reset() }
        bind(beacon, to: insertion)
        let place = try insertion.step() ? insertion.int(0) : 0
        bytes += Int64(beacon.size)
        return place
    }

    private func bind(_ beacon: StoredBeacon, to statement: Statement) {
        statement.bind(1, beacon.identity.run)
        statement.bind(2, beacon.identity.instance)
        statement.bind(3, Int64(bitPattern: beacon.identity.ordinal))
        statement.bind(4, Int64(beacon.session))
        statement.bind(5, beacon.destination)
        statement.bind(6, beacon.method)
        statement.bind(7, beacon.url)
        statement.bind(8, beacon.headers)
        statement.bind(9, beacon.body)
        statement.bind(10, beacon.credential)
        statement.bind(11, PatchText.text(beacon.patches))
        statement.bind(12, Int64(beacon.options.rawValue))
        statement.bind(13, beacon.expires)
        statement.bind(14, beacon.attempts)
        statement.bind(15, beacon.due)
        statement.bind(16, Int64(beacon.size))
    }

    /// Reads a row; its place is the last column.
    static func beacon(_ row: Statement) -> StoredBeacon {
        var beacon = StoredBeacon(
            identity: StoredBeacon.Identity(
                run: row.text(0),
                instance: row.text(1),
                ordinal: UInt64(bitPattern: row.int(2))
            ),
            session: UInt32(truncatingIfNeeded: row.int(3)),
            destination: row.text(4),
            method: row.text(5),
            url: row.bytes(6),
            headers: row.bytes(7),
            body: row.bytes(8),
            credential: row.text(9),
            patches: PatchText.patches(row.text(10)),
            options: BeaconOptions(rawValue: UInt32(truncatingIfNeeded: row.int(11))),
            expires: row.int(12)
        )
        beacon.attempts = row.int(13)
        beacon.due = row.int(14)
        beacon.place = row.int(16)
        return beacon
    }
}
