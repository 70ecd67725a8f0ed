internal import Database
internal import Glibc
internal import PluginKit

/// Opens a spool, also one that is damaged: what can be read of it goes on, the rest is told and kept aside.
enum SpoolRepair {
    /// Opens the spool of a path; nil keeps it in memory.
    static func open(_ path: String?, log: (LogLevel, String) -> Void) throws(DatabaseError) -> Spool {
        guard let path else { return try Spool(path: nil) }
        do throws(DatabaseError) {
            let spool = try Spool(path: path)
            try check(spool)
            return spool
        } catch  where error.kind == .damaged {
            return try replace(path, error, log)
        }
    }

    private static func check(_ spool: Spool) throws(DatabaseError) {
        let statement = try spool.database.prepare("PRAGMA quick_check(1)")
        guard try statement.step(), statement.text(0) == "ok" else {
            throw DatabaseError(damaged: spool.database.path)
        }
    }

    /// Moves the damaged file aside and takes over from it what can be read.
    private static func replace(
        _ path: String,
        _ error: DatabaseError,
        _ log: (LogLevel, String) -> Void
    ) throws(DatabaseError) -> Spool {
        let aside = "\(path).damaged-\(WallClock.now())"
        for ending in ["", "-wal", "-shm"] where unsafe access(path + ending, F_OK) == 0 {
            unsafe rename(path + ending, aside + ending)
        }
        let spool = try Spool(path: path)
        var saved = 0
        var lost = 0
        try spool.begin()
        if let old = try? Database(path: aside) {
            try copyTaken(old, to: spool)
            (saved, lost) = try copyBeacons(old, to: spool)
        }
        try spool.add(Int64(lost), to: DropReason.damaged.rawValue, of: "")
        try spool.commit()
        log(
            .error,
            "\(error.description); it was moved to '\(aside)', \(saved) beacons go on and at least \(lost) are lost"
        )
        return spool
    }

    /// Reads rows one place at a time, so that a damaged page costs what lies on it.
    private static func copyBeacons(
        _ old: Database,
        to spool: Spool
    ) throws(DatabaseError) -> (saved: Int, lost: Int) {
        var saved = 0
        var lost = 0
        guard let highest = try? number("SELECT seq FROM sqlite_sequence WHERE name = 'beacons'", old),
            let row = try? old.prepare(Spool.rowText)
        else { return (0, 1) }
        var place = (try? number("SELECT min(place) FROM beacons", old)) ?? 1
        while place <= highest {
            row.bind(1, place)
            do throws(DatabaseError) {
                if try row.step() {
                    _ = try spool.insert(Spool.beacon(row))
                    saved += 1
                }
            } catch  where error.kind == .damaged {
                lost += 1
            }
            row.reset()
            place += 1
        }
        return (saved, lost)
    }

    private static func copyTaken(_ old: Database, to spool: Spool) throws(DatabaseError) {
        guard let rows = try? old.prepare("SELECT run, instance, ordinal, seen FROM taken") else { return }
        let note = try spool.database.prepare(
            "INSERT OR REPLACE INTO taken (run, instance, ordinal, seen) VALUES (?1, ?2, ?3, ?4)"
        )
        while (try? rows.step()) == true {
            note.bind(1, rows.text(0))
            note.bind(2, rows.text(1))
            note.bind(3, rows.int(2))
            note.bind(4, rows.int(3))
            try note.run()
        }
    }

    private static func number(_ query: String, _ database: Database) throws(DatabaseError) -> Int64 {
        let statement = try database.prepare(query)
        return try statement.step() ? statement.int(0) : 0
    }
}
