internal import Database
internal import Glibc
internal import PluginKit

/// The beacons that were taken and are not settled, in a SQLite database.
///
/// Used by one thread at a time. Changes are in a transaction that ``commit()`` ends: what is not committed is not
/// taken. Without a file everything is in memory and gone with the process.
final class Spool: @unchecked Sendable {
    let database: Database
    let kind: SpoolKind
    private let insertion: BeaconInsertion
    private let burial: BeaconInsertion
    private let deletion: Statement
    private let postponement: Statement
    private let selection: Statement
    private let oldest: Statement
    private let count: Statement
    private let clocking: Statement
    private let taken: TakenStreams
    /// The time that all times in the spool are of.
    var clock: SpoolClock
    /// Bytes of all beacons, about.
    private(set) var bytes: Int64 = 0
    /// Bytes of all dead letters, about.
    private(set) var deadBytes: Int64 = 0
    /// The last place that was given to a beacon; none gets a place twice.
    private(set) var lastPlace: Int64 = 0
    /// How many beacons were unaccounted for when the check began; nil before that, and in release builds.
    private var unaccountedBefore: [String: Int64]?
    /// All three as they were at the last commit.
    private var committed: (bytes: Int64, deadBytes: Int64, lastPlace: Int64) = (0, 0, 0)

    /// Opens a spool that nobody else has open; nil keeps it in memory.
    init(path: String?, _ kind: SpoolKind, for use: SpoolUse = .keeping) throws(DatabaseError) {
        self.kind = kind
        let database = try Database(
            path: path ?? ":memory:",
            isPrivate: true,
            isForeignLink: path.map(OutputPlace.isForeignLink) ?? false
        )
        self.database = database
        // Two programs would both send what lies there.
        try database.run("PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=FULL")
        if use != .reading {
            try SpoolSchema.prepare(database, kind)
            try database.run("PRAGMA journal_mode=WAL")
        }
        try database.run(
            "PRAGMA wal_autocheckpoint=2000; PRAGMA journal_size_limit=16777216; PRAGMA secure_delete=FAST"
        )
        insertion = try BeaconInsertion(
            database.prepare("INSERT INTO beacons (\(SpoolSchema.columns)) VALUES (\(SpoolSchema.values))")
        )
        burial = try BeaconInsertion(
            database.prepare(
                "INSERT INTO dead (\(SpoolSchema.columns), reason, status, died) "
                    + "VALUES (\(SpoolSchema.values), ?17, ?18, ?19)"
            )
        )
        deletion = try database.prepare("DELETE FROM beacons WHERE place BETWEEN ?1 AND ?2")
        postponement = try database.prepare("UPDATE beacons SET attempts = ?2, due = ?3 WHERE place = ?1")
        selection = try database.prepare(
            "SELECT \(SpoolSchema.columns), place FROM beacons WHERE destination = ?1 AND place > ?2 "
                + "ORDER BY place LIMIT ?3"
        )
        oldest = try database.prepare("SELECT \(SpoolSchema.columns), place FROM beacons ORDER BY place LIMIT ?1")
        count = try database.prepare(
            "INSERT INTO counts (destination, name, count) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (destination, name) DO UPDATE SET count = count + ?3"
        )
        clocking = try database.prepare(
            "INSERT OR REPLACE INTO clock (id, time, boot, since_boot, wall) VALUES (1, ?1, ?2, ?3, ?4)"
        )
        taken = try TakenStreams(database)
        clock = try SpoolClock(database)
        try measure()
        committed = (bytes, deadBytes, lastPlace)
    }

    // MARK: - Transactions

    /// Begins a transaction unless one is open.
    func begin() throws(DatabaseError) {
        if !database.isInTransaction { try database.run("BEGIN IMMEDIATE") }
    }

    /// Makes all changes lasting.
    func commit() throws(DatabaseError) {
        guard database.isInTransaction else { return }
        try taken.write(at: clock.now())
        try clocking.run(clock.row)
        try database.run("COMMIT")
        taken.forgetOld()
        committed = (bytes, deadBytes, lastPlace)
        #if DEBUG
        check()
        #endif
    }

    /// Has each commit checked from now on, in debug builds: what was taken is delivered, waits or was given up.
    func beginCheck() {
        #if DEBUG
        // Where a damaged row keeps it from being known, nothing is checked.
        unaccountedBefore = try? unaccounted()
        #endif
    }

    /// How many beacons of a destination are in no count, where that is so.
    func unaccounted() throws(DatabaseError) -> [String: Int64] {
        let rows = try database.prepare("SELECT destination, number FROM unaccounted").rows { ($0.text(0), $0.int(1)) }
        return Dictionary(rows) { $0 &+ $1 }
    }

    /// Ends the program when a commit has left a beacon unaccounted for.
    ///
    /// What a damaged page cost may turn up again: it was in memory.
    private func check() {
        guard let unaccountedBefore, let unaccounted = try? unaccounted() else { return }
        for (destination, number) in unaccounted {
            let before = unaccountedBefore[destination] ?? 0
            precondition(
                (min(0, before)...max(0, before)).contains(number),
                "\(number) beacons of \(destination) are neither delivered nor waiting nor given up"
            )
        }
    }

    /// Takes all changes since the last commit back.
    func rollBack() {
        if database.isInTransaction { try? database.run("ROLLBACK") }
        taken.rollBack()
        (bytes, deadBytes, lastPlace) = committed
    }

    // MARK: - Beacons

    /// Inserts a beacon and gives its place; nil when it was taken before.
    func insert(_ beacon: StoredBeacon) throws(DatabaseError) -> Int64? {
        guard try taken.insert(beacon) else { return nil }
        try insertion.run(beacon)
        bytes += Int64(beacon.size)
        lastPlace = database.lastPlace
        return lastPlace
    }

    /// Keeps places up to one from being given to beacons that come.
    func reserve(upTo place: Int64) throws(DatabaseError) {
        guard place > lastPlace else { return }
        try database.run(
            "INSERT INTO sqlite_sequence (name, seq) SELECT 'beacons', 0 "
                + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'beacons')"
        )
        try database.prepare("UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'beacons'").run([place])
        lastPlace = place
        committed.lastPlace = place
    }

    /// Removes beacons that are settled.
    func remove(_ settled: [(place: Int64, size: Int)]) throws(DatabaseError) {
        // Neighbours go with one statement: they mostly come in order.
        let ordered = settled.sorted { $0.place < $1.place }
        var start = 0
        while start < ordered.count {
            var end = start + 1
            while end < ordered.count, ordered[end - 1].place >= ordered[end].place - 1 { end += 1 }
            try deletion.run([ordered[start].place, ordered[end - 1].place])
            if database.changes == end - start {
                bytes -= ordered[start..<end].reduce(0) { $0 + Int64($1.size) }
            } else {
                bytes = try sum("beacons")
            }
            start = end
        }
    }

    /// Moves a beacon to the dead letters.
    func bury(_ beacon: StoredBeacon, _ reason: DropReason, status: Int) throws(DatabaseError) {
        let now = clock.now()
        try burial.run(beacon) { statement in
            statement.bind(17, reason.rawValue)
            statement.bind(18, Int64(status))
            statement.bind(19, now)
        }
        deadBytes += Int64(beacon.size)
        try remove([(beacon.place, beacon.size)])
    }

    /// Writes how often a beacon was tried, and when it may be tried again.
    func postpone(_ beacon: StoredBeacon) throws(DatabaseError) {
        try postponement.run([beacon.place, beacon.attempts, beacon.due])
    }

    /// Beacons of a destination behind a place, in order.
    func beacons(of destination: String, behind place: Int64, limit: Int) throws(DatabaseError) -> [StoredBeacon] {
        try selection.rows([destination, place, Int64(limit)], StoredBeacon.init(row:))
    }

    /// The beacons that were taken first.
    func first(_ limit: Int) throws(DatabaseError) -> [StoredBeacon] {
        try oldest.rows([Int64(limit)], StoredBeacon.init(row:))
    }

    /// The destinations that beacons wait for.
    func destinations() throws(DatabaseError) -> [String] {
        try database.prepare(
            // Steps from one name to the next in the index, however many beacons there are.
            "WITH RECURSIVE names(name) AS (SELECT min(destination) FROM beacons UNION ALL "
                + "SELECT (SELECT min(destination) FROM beacons WHERE destination > name) FROM names "
                + "WHERE name IS NOT NULL) SELECT name FROM names WHERE name IS NOT NULL"
        ).rows { $0.text(0) }
    }

    /// Adds to a lasting count.
    func add(_ number: Int64, to name: String, of destination: String) throws(DatabaseError) {
        try count.run([destination, name, number])
    }

    /// Reads anew how many bytes there are, and which place was given last.
    func measure() throws(DatabaseError) {
        bytes = try sum("beacons")
        deadBytes = try sum("dead")
        lastPlace = try database.number("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'beacons'")
    }

    // MARK: - Parts

    private func sum(_ table: String) throws(DatabaseError) -> Int64 {
        try database.number("SELECT coalesce(sum(\(SpoolSchema.size)), 0) FROM \(table)")
    }
}
