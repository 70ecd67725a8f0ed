internal import Database
internal import PluginKit

// What people ask of the spool.
extension Spool {
    /// The lasting counts, by destination and name.
    func counts() throws(DatabaseError) -> [(destination: String, name: String, count: Int64)] {
        try database.prepare("SELECT destination, name, count FROM counts ORDER BY destination, name")
            .rows { ($0.text(0), $0.text(1), $0.int(2)) }
    }

    /// All destinations of which there was ever a beacon.
    func knownDestinations() throws(DatabaseError) -> [String] {
        try database.prepare(
            "SELECT destination FROM counts UNION SELECT destination FROM beacons UNION SELECT destination FROM dead"
        ).rows { $0.text(0) }.filter { !$0.isEmpty }
    }

    /// What went wrong last, by destination.
    func failures() throws(DatabaseError) -> [(destination: String, failure: String)] {
        try database.prepare("SELECT destination, failure FROM failures").rows { ($0.text(0), $0.text(1)) }
    }

    /// Writes what went wrong last with a destination.
    func record(_ failure: String, of destination: String) throws(DatabaseError) {
        try database.prepare("INSERT OR REPLACE INTO failures (destination, failure) VALUES (?1, ?2)")
            .run([destination, failure])
    }

    /// The lasting counts by name, of all destinations together.
    ///
    /// What a damaged row says is no number that cannot be added, and no name that can be there only once.
    func countsByName() throws(DatabaseError) -> [String: Int64] {
        let sound = "max(0, min(CAST(count AS INTEGER), 1 << 40))"
        let rows = try database.prepare("SELECT name, sum(\(sound)) FROM counts GROUP BY name").rows {
            ($0.text(0), $0.int(1))
        }
        return Dictionary(rows) { $0 + $1 }
    }

    /// How many beacons wait, and how many dead letters there are.
    func sizes() throws(DatabaseError) -> (waiting: Int64, dead: Int64) {
        try database.prepare("SELECT (SELECT count(*) FROM beacons), (SELECT count(*) FROM dead)")
            .rows { ($0.int(0), $0.int(1)) }.first ?? (0, 0)
    }

    /// The newest dead letters, as JSON; without bodies and addresses' queries, which may say who watches.
    func deadLetters(limit: Int64) throws(DatabaseError) -> JSONValue {
        let statement = try database.prepare(
            "SELECT place, run, instance, ordinal, destination, reason, status, died, attempts FROM dead "
                + "ORDER BY place DESC LIMIT ?1"
        )
        let letters = try statement.rows([limit]) { row -> JSONValue in
            [
                "place": .int(row.int(0)), "run": .string(row.text(1)), "instance": .string(row.text(2)),
                "n": .int(row.int(3)), "destination": .string(row.text(4)), "reason": .string(row.text(5)),
                "status": .int(row.int(6)), "died_ms": .int(row.int(7)), "attempts": .int(row.int(8)),
            ]
        }
        return .array(letters)
    }

    /// The beacons that were taken first, as JSON, without bodies and addresses as well.
    func waitingBeacons(limit: Int64) throws(DatabaseError) -> JSONValue {
        let statement = try database.prepare(
            "SELECT place, run, instance, ordinal, destination, attempts, due, expires FROM beacons ORDER BY place LIMIT ?1"
        )
        let beacons = try statement.rows([limit]) { row -> JSONValue in
            [
                "place": .int(row.int(0)), "run": .string(row.text(1)), "instance": .string(row.text(2)),
                "n": .int(row.int(3)), "destination": .string(row.text(4)), "attempts": .int(row.int(5)),
                "due_ms": .int(row.int(6)), "expires_ms": .int(row.int(7)),
            ]
        }
        return .array(beacons)
    }

    /// Puts all dead letters of a destination, or of all, back among those that wait; they live until `expires`.
    ///
    /// They go to the end: their order is lost.
    func revive(destination: String?, expires: Int64) throws(DatabaseError) -> Int64 {
        let columns = SpoolSchema.columns
        let revival = try database.prepare(
            "INSERT INTO beacons (\(columns)) SELECT run, instance, ordinal, session, destination, method, url, headers, "
                + "body, credential, patches, options, ?1, 0, 0, size FROM dead WHERE ?2 IS NULL OR destination = ?2 "
                + "ORDER BY place"
        )
        let removal = try database.prepare("DELETE FROM dead WHERE ?1 IS NULL OR destination = ?1")
        let wanted = try database.prepare(
            "SELECT destination, count(*) FROM dead WHERE ?1 IS NULL OR destination = ?1 GROUP BY destination"
        )
        return try alone { () throws(DatabaseError) in
            for (name, count) in try wanted.rows([destination], { ($0.text(0), $0.int(1)) }) {
                try add(count, to: "resent", of: name)
            }
            try revival.run([expires, destination])
            let count = Int64(database.changes)
            try removal.run([destination])
            return count
        }
    }

    /// Gives up all that waits, because nothing keeps it, and gives how many there were.
    func giveUpGone() throws(DatabaseError) -> Int64 {
        let waiting = try database.prepare("SELECT destination, count(*) FROM beacons GROUP BY destination")
        return try alone { () throws(DatabaseError) in
            var sum: Int64 = 0
            for (destination, count) in try waiting.rows([], { ($0.text(0), $0.int(1)) }) {
                try add(count, to: DropReason.gone.rawValue, of: destination)
                sum += count
            }
            try database.run("DELETE FROM beacons")
            return sum
        }
    }

    /// Removes the oldest dead letters while they are more than so many bytes.
    func trimDead(to largest: Int64) throws(DatabaseError) {
        guard deadBytes > largest else { return }
        let letters = try database.prepare("SELECT place, \(SpoolSchema.size) FROM dead ORDER BY place")
        let removal = try database.prepare("DELETE FROM dead WHERE place <= ?1")
        var excess = deadBytes - largest
        while excess > 0, try letters.step() {
            removal.bind(1, letters.int(0))
            excess -= letters.int(1)
        }
        letters.reset()
        try removal.run()
        try measure()
    }

    /// How long it is known that a beacon was taken, and how long dead letters are kept, ms: 30 days.
    private static let memory: Int64 = 2_592_000_000

    /// Forgets dead letters, and which beacons were taken of runs that were last heard of, before that time.
    func forgetOld() throws(DatabaseError) {
        let time = clock.now() - Self.memory
        let runs = "SELECT 1 FROM taken WHERE taken.run = missing.run AND taken.instance = missing.instance"
        let known = try database.prepare("DELETE FROM taken WHERE seen < ?1")
        let dead = try database.prepare("DELETE FROM dead WHERE died < ?1")
        try alone { () throws(DatabaseError) in
            try known.run([time])
            try dead.run([time])
            try database.run("DELETE FROM missing WHERE NOT EXISTS (\(runs))")
        }
    }

    /// Runs changes in a transaction of their own, all or none.
    func alone<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        do throws(DatabaseError) {
            try begin()
            let result = try body()
            try measure()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}

// Removing what must not be known any more.
extension Spool {
    /// Removes everything of a run, or of one of its sessions, in one transaction, and gives how many there were.
    ///
    /// That its beacons were taken stays known, so that a replay does not bring them back. Its bytes are in the file
    /// until ``rewrite()``.
    func erase(run: String, session: Int64?) throws(DatabaseError) -> Int64 {
        try remove("run = ?1 AND (?2 IS NULL OR session = ?2)", [run, session])
    }

    /// The same of a destination, or of all.
    func erase(destination: String?) throws(DatabaseError) -> Int64 {
        try remove("?1 IS NULL OR destination = ?1", [destination])
    }

    private func remove(_ wanted: String, _ values: [(any ParameterValue)?]) throws(DatabaseError) -> Int64 {
        try alone { () throws(DatabaseError) in
            let waiting = try database.prepare(
                "SELECT destination, count(*) FROM beacons WHERE \(wanted) GROUP BY destination"
            ).rows(values) { ($0.text(0), $0.int(1)) }
            for (destination, count) in waiting { try add(count, to: DropReason.erased.rawValue, of: destination) }
            var count: Int64 = 0
            for table in ["beacons", "dead"] {
                try database.prepare("DELETE FROM \(table) WHERE \(wanted)").run(values)
                count += Int64(database.changes)
            }
            return count
        }
    }

    /// Makes the file anew from what is in it, so that no byte of what was removed is left, also not in the log beside
    /// it.
    ///
    /// What was delivered or dropped before is gone from the file as well.
    func rewrite() throws(DatabaseError) {
        // Temporary files of this have only what stays.
        try database.run("VACUUM")
        let checkpoint = try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        guard try checkpoint.step(), checkpoint.int(0) == 0 else { throw DatabaseError(locked: database.path) }
    }
}
