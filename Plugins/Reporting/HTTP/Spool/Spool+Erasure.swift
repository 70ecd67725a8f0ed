internal import Database
internal import PluginKit

// Removing what must not be known any more.
extension Spool {
    /// Removes everything of a run, or of one of its sessions, in one transaction, and gives how many there were.
    ///
    /// That its beacons were taken stays known, so that a replay does not bring them back. Its bytes are in the file
    /// until ``purge()``.
    func erase(run: String, session: Int64?, now: Int64) throws(DatabaseError) -> Int64 {
        let wanted = "run = ?1 AND (?2 IS NULL OR session = ?2)"
        return try alone(at: now) { () throws(DatabaseError) in
            let waiting = try statement(
                "SELECT destination, count(*) FROM beacons WHERE \(wanted) GROUP BY destination",
                run,
                session
            )
            while try waiting.step() {
                try add(waiting.int(1), to: DropReason.erased.rawValue, of: waiting.text(0))
            }
            waiting.reset()
            var count: Int64 = 0
            for table in ["beacons", "dead"] {
                try statement("DELETE FROM \(table) WHERE \(wanted)", run, session).run()
                count += Int64(database.changes)
            }
            return count
        }
    }

    /// Makes the file anew from what is in it, so that no byte of what was removed is left, also not in the log beside
    /// it.
    ///
    /// What was delivered or dropped before is gone from the file as well.
    func purge() throws(DatabaseError) {
        // Temporary files of this have only what stays.
        try database.run("VACUUM")
        let checkpoint = try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        guard try checkpoint.step(), checkpoint.int(0) == 0 else {
            throw DatabaseError(locked: database.path)
        }
    }

    private func statement(_ text: String, _ run: String, _ session: Int64?) throws(DatabaseError) -> Statement {
        let statement = try database.prepare(text)
        statement.bind(1, run)
        if let session {
            statement.bind(2, session)
        }
        return statement
    }
}
