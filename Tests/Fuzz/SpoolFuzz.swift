import Database
import Glibc
import PluginKit

// Compiled into one module with what spools. See Tests/Fuzz/run.

/// The spool that each input damages: in a folder in memory, as it was made once.
private struct FuzzedSpool: @unchecked Sendable {
    static let shared = FuzzedSpool()

    let path: String
    private let image: [UInt8]

    private init() {
        let folder = "/dev/shm/tally-fuzz-\(getpid())"
        unsafe mkdir(folder, 0o700)
        path = folder + "/spool.db"
        do throws(DatabaseError) {
            try Self.fill(path)
        } catch {
            fatalError("the spool cannot be made: \(error)")
        }
        image = Self.read(path)
    }

    /// Beacons of three destinations, dead letters, holes and counts.
    private static func fill(_ path: String) throws(DatabaseError) {
        let spool = try Spool(path: path, .requests)
        let columns = SpoolSchema.columns
        for number in 1...9 {
            let values =
                "'run-\(number % 2)', 'mux', \(number), 1, 'vendor-\(number % 3).example', 'POST', "
                + "CAST('http://127.0.0.1:1/a?t=0000000000000' AS BLOB), CAST('A: b' || char(10) AS BLOB), "
                + "CAST('{\"try\": 0}' AS BLOB), '', '1,1,13,24;2,3,1,8;', \(number % 4), 1900000000000, \(number % 3), "
                + "\(number % 2 * 1_800_000_000_000), 300"
            try spool.database.run("INSERT INTO beacons (\(columns)) VALUES (\(values))")
            if number > 5 {
                try spool.database.run(
                    "INSERT INTO dead (\(columns), reason, status, died) VALUES (\(values), 'refused', 403, 1700000000000)"
                )
            }
        }
        try spool.database.run(
            """
            INSERT INTO taken VALUES ('run-0', 'mux', 8, 1700000000000), ('run-1', 'mux', 9, 1700000000000);
            INSERT INTO missing VALUES ('run-1', 'mux', 2, 2), ('run-1', 'mux', 4, 6);
            INSERT INTO counts VALUES ('vendor-0.example', 'taken', 7), ('vendor-1.example', 'taken', 7),
                ('vendor-2.example', 'taken', 7), ('vendor-0.example', 'refused', 4), ('vendor-0.example', 'tries', 9);
            INSERT INTO failures VALUES ('vendor-1.example', '503');
            """
        )
        try spool.commit()
    }

    private static func read(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let descriptor = unsafe open(path, O_RDONLY)
        while case let count = unsafe Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
            bytes += buffer[..<count]
        }
        close(descriptor)
        return bytes
    }

    /// Puts the file there as it was made, with other bytes in some places.
    func restore(_ patches: UnsafeBufferPointer<UInt8>) {
        for name in SpoolRepair.aside(of: path) { unsafe unlink(name) }
        for ending in ["-wal", "-shm", "-journal"] { unsafe unlink(path + ending) }
        var bytes = image
        for start in unsafe stride(from: 0, to: patches.count - 2, by: 3) {
            let place = unsafe Int(patches[start]) << 8 | Int(patches[start + 1])
            bytes[place * bytes.count >> 16] = unsafe patches[start + 2]
        }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    private static let columns = [
        "beacons": [
            "place", "run", "instance", "ordinal", "session", "destination", "method", "url", "headers", "body",
            "credential", "patches", "options", "expires", "attempts", "due", "size",
        ],
        "dead": ["place", "destination", "reason", "status", "died", "size", "body"],
        "taken": ["run", "ordinal", "seen"], "missing": ["run", "first", "last"],
        "counts": ["destination", "name", "count"], "failures": ["destination", "failure"],
        "clock": ["time", "boot", "since_boot", "wall"], "sqlite_sequence": ["seq"],
    ].sorted { $0.key < $1.key }.flatMap { table, names in names.map { (table, $0) } }

    private static let values = [
        "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9007199254740993", "1e300", "'x'", "''",
        "x'ff'", "x'fe'", "CAST(x'ff' AS TEXT)", "CAST(x'fe' AS TEXT)", "'a' || char(0)", "zeroblob(70000)",
        "'1,3,99,0;2,3,99,9223372036854775807;2,1,13,-9223372036854775808;'", "'taken'", "CAST('taken' AS BLOB)",
        "'vendor-1.example'", "'http://127.0.0.1:1/'", "1700000000000",
    ]

    /// Sets columns of rows to values that no spool has written.
    func change(_ changes: UnsafeBufferPointer<UInt8>) {
        guard let database = try? Database(path: path) else { return }
        for start in unsafe stride(from: 0, to: changes.count - 2, by: 3) {
            let (table, column) = unsafe Self.columns[Int(changes[start]) % Self.columns.count]
            let value = unsafe Self.values[Int(changes[start + 1]) % Self.values.count]
            let row = unsafe changes[start + 2]
            let chosen =
                row == 255 ? "" : " WHERE \(column) IN (SELECT \(column) FROM \(table) LIMIT 1 OFFSET \(row % 8))"
            try? database.run("UPDATE OR IGNORE \(table) SET \(column) = \(value)\(chosen)")
        }
    }
}

/// Damages a spool as the fuzzer says, and stops the process when a rule is broken: what can be opened can be used, and
/// opened again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSpool(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 1 else { return 0 }
    let spool = FuzzedSpool.shared
    let rest = unsafe UnsafeBufferPointer(start: data + 1, count: count - 1)
    if unsafe data[0] & 1 == 0 {
        unsafe spool.restore(rest)
    } else {
        unsafe spool.restore(UnsafeBufferPointer(rebasing: rest[..<0]))
        unsafe spool.change(rest)
    }
    guard isUsed(spool.path) else { return 0 }
    do throws(DatabaseError) {
        _ = try SpoolRepair.open(spool.path, .requests, for: .keeping, log: { _, _ in }).sizes()
    } catch {
        fatalError("what was opened and used cannot be opened again: \(error)")
    }
    return 0
}

/// Whether the spool can be opened and used; it is closed then.
private func isUsed(_ path: String) -> Bool {
    guard let spool = try? SpoolRepair.open(path, .requests, for: .keeping, log: { _, _ in }) else { return false }
    return use(spool)
}

/// Does with a spool what a sender does; false when the database refuses something.
private func use(_ spool: Spool) -> Bool {
    do throws(DatabaseError) {
        let before = try spool.countsByName()
        _ = (try spool.counts(), try spool.failures(), try spool.sizes(), try spool.knownDestinations())
        _ = (try spool.waitingBeacons(limit: 100), try spool.deadLetters(limit: 100))
        try spool.begin()
        var waiting = try spool.first(100)
        for name in try spool.destinations() { waiting += try spool.beacons(of: name, behind: 0, limit: 100) }
        var places: Set<Int64> = []
        waiting.removeAll { !places.insert($0.place).inserted }
        for (number, beacon) in waiting.enumerated() {
            if beacon.attempts < 20 {
                _ = Request(
                    beacon.content,
                    attempt: beacon.attempts + 1,
                    secret: nil,
                    idempotencyHeader: "Idempotency-Key",
                    now: 1_700_000_000_000
                )
            }
            switch number % 4 {
            case 0: _ = try spool.insert(beacon)
            case 1:
                try spool.bury(beacon, .refused, status: 403)
                try spool.add(1, to: DropReason.refused.rawValue, of: beacon.destination)
            case 2:
                var later = beacon
                later.due = spool.clock.now()
                try spool.postpone(later)
            default:
                try spool.remove([(beacon.place, beacon.size)])
                try spool.add(1, to: "delivered", of: beacon.destination)
            }
        }
        spool.rollBack()
        try spool.trimDead(to: 300)
        _ = try spool.revive(destination: nil, expires: spool.clock.now())
        _ = try spool.erase(run: "run-0", session: nil)
        try spool.forgetOld()
        let totals = DeliveryTotals(found: 1, counts: DeliveryTotals.difference(try spool.countsByName(), before))
        _ = totals.json(tolerating: [])
        return true
    } catch {
        spool.rollBack()
        return false
    }
}
