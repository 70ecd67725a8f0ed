internal import Database
internal import Glibc

/// The time by which beacons wait and age, ms: it begins as the wall clock's, and goes on by a clock that nobody sets.
///
/// The spool keeps it with what clocks said at the last commit, and another start goes on from there: by the boot clock
/// while the machine is up, and behind a start of the machine by what the wall clock has gone forward.
package struct SpoolClock: Sendable {
    /// What clocks said at one moment.
    package struct Reading: Sendable {
        /// Which start of the machine it was; empty when the system does not say.
        let boot: String
        /// Since then, ms, sleep of the machine included.
        let sinceBoot: Int64
        /// Since 1970, ms.
        let wall: Int64

        package init(boot: String, sinceBoot: Int64, wall: Int64) {
            self.boot = boot
            self.sinceBoot = sinceBoot
            self.wall = wall
        }

        /// What they say now.
        static func now() -> Reading {
            Reading(boot: thisBoot, sinceBoot: SystemClock.sinceBoot(), wall: SystemClock.wall())
        }

        private static let thisBoot: String = {
            guard let file = unsafe fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
            defer { unsafe fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 36)
            return unsafe fread(&bytes, 1, bytes.count, file) == 36 ? String(decoding: bytes, as: UTF8.self) : ""
        }()
    }

    /// The time when the machine was started.
    private let start: Int64

    /// Goes on behind a commit at `time`, when clocks said `last`; nil begins anew.
    package init(behind commit: (time: Int64, last: Reading)?, at reading: Reading) {
        guard let (time, last) = commit else {
            start = reading.wall - reading.sinceBoot
            return
        }
        let isSameBoot = !last.boot.isEmpty && last.boot == reading.boot && last.sinceBoot <= reading.sinceBoot
        let passed = isSameBoot ? reading.sinceBoot - last.sinceBoot : max(0, reading.wall - last.wall)
        start = time + passed - reading.sinceBoot
    }

    /// The time now.
    package func now() -> Int64 { start + SystemClock.sinceBoot() }

    /// The time at a reading of the same start of the machine.
    package func time(at reading: Reading) -> Int64 { start + reading.sinceBoot }
}

// The clock as a row of the spool.
extension SpoolClock {
    /// What a spool can say of a time: less than 285,000 years.
    private static let sound: ClosedRange<Int64> = 0...(1 << 53)

    /// Goes on with the clock of a spool.
    init(_ database: Database) throws(DatabaseError) {
        let rows = try database.prepare("SELECT time, boot, since_boot, wall FROM clock").rows { row in
            (time: row.int(0), last: Reading(boot: row.text(1), sinceBoot: row.int(2), wall: row.int(3)))
        }
        let commit = rows.first { [$0.time, $0.last.sinceBoot, $0.last.wall].allSatisfy(Self.sound.contains) }
        self.init(behind: commit, at: .now())
    }

    /// The values of the row.
    var row: [(any ParameterValue)?] {
        let reading = Reading.now()
        return [time(at: reading), reading.boot, reading.sinceBoot, reading.wall]
    }
}

/// The clocks of the system, ms.
package enum SystemClock {
    /// Since 1970; people and programs set it.
    package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    /// Since the machine was started, sleep included.
    static func sinceBoot() -> Int64 { read(CLOCK_BOOTTIME) }

    /// A clock that stands while the machine sleeps.
    package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
