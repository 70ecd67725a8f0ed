internal import Database
internal import PluginKit

// What people ask of the spool.
extension Spool {
    /// The lasting counts, by destination and name.
    func counts() throws(DatabaseError) -> [(destination: String, name: String, count: Int64)] {
        let statement = try database.prepare("SELECT destination, name, count FROM counts ORDER BY destination, name")
        var counts: [(destination: String, name: String, count: Int64)] = []
        while try statement.step() {
            counts.append((statement.text(0), statement.text(1), statement.int(2)))
        }
        return counts
    }

    /// How many beacons wait, and how many dead letters there are.
    func sizes() throws(DatabaseError) -> (waiting: Int64, dead: Int64) {
        let statement = try database.prepare("SELECT (SELECT count(*) FROM beacons), (SELECT count(*) FROM dead)")
        return try statement.step() ? (statement.int(0), statement.int(1)) : (0, 0)
    }

    /// The newest dead letters, as JSON; without bodies and addresses' queries, which may say who watches.
    func deadLetters(limit: Int64) throws(DatabaseError) -> JSONValue {
        let statement = try database.prepare(
            "SELECT place, run, instance, ordinal, destination, reason, status, died, attempts FROM dead "
                + "ORDER BY place DESC LIMIT ?1"
        )
        statement.bind(1, limit)
        var letters: [JSONValue] = []
        while try statement.step() {
            letters.append([
                "place": .int(statement.int(0)), "run": .string(statement.text(1)),
                "instance": .string(statement.text(2)), "n": .int(statement.int(3)),
                "destination": .string(statement.text(4)), "reason": .string(statement.text(5)),
                "status": .int(statement.int(6)), "died_ms": .int(statement.int(7)),
                "attempts": .int(statement.int(8)),
            ])
        }
        return .array(letters)
    }

    /// Puts all dead letters of a destination, or of all, back among those that wait; they live until `expires`.
    ///
    /// They go to the end: their order is lost.
    func revive(destination: String?, expires: Int64) throws(DatabaseError) -> Int64 {
        let wanted = destination == nil ? "" : " WHERE destination = ?2"
        let revival = try database.prepare(
            "INSERT INTO beacons (run, instance, ordinal, session, destination, method, url, headers, body, credential, "
                + "patches, options, expires, attempts, due, size) SELECT run, instance, ordinal, session, destination, "
                + "method, url, headers, body, credential, patches, options, ?1, 0, 0, size FROM dead\(wanted)"
        )
        revival.bind(1, expires)
        if let destination {
            revival.bind(2, destination)
        }
        try revival.run()
        let count = Int64(database.changes)
        let removal = try database.prepare(
            "DELETE FROM dead\(destination == nil ? "" : " WHERE destination = ?1")"
        )
        if let destination {
            removal.bind(1, destination)
        }
        try removal.run()
        try measure()
        return count
    }

    /// Removes everything of a run, or of one of its sessions, and overwrites it on the disk.
    ///
    /// That its beacons were taken stays known, so that a replay does not bring them back.
    func erase(run: String, session: Int64?) throws(DatabaseError) -> Int64 {
        var count: Int64 = 0
        try commit()
        try database.run("PRAGMA secure_delete=ON")
        for table in ["beacons", "dead"] {
            let statement = try database.prepare(
                "DELETE FROM \(table) WHERE run = ?1\(session == nil ? "" : " AND session = ?2")"
            )
            statement.bind(1, run)
            if let session {
                statement.bind(2, session)
            }
            try statement.run()
            count += Int64(database.changes)
        }
        try database.run("PRAGMA secure_delete=OFF; PRAGMA wal_checkpoint(TRUNCATE)")
        try measure()
        return count
    }

    /// Forgets which beacons were taken of runs that were last heard of before a time, ms since 1970.
    func forget(before time: Int64) throws(DatabaseError) {
        let statement = try database.prepare("DELETE FROM taken WHERE seen < ?1")
        statement.bind(1, time)
        try statement.run()
    }
}
