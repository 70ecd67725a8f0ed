internal import Database

/// Which beacons a spool has taken, of all runs and instances.
final class TakenStreams {
    /// Streams that are kept in memory at most.
    private static let kept = 4_096

    private let highest: Statement
    private let missing: Statement
    private let note: Statement
    private let noteMissing: Statement
    private let forgetMissing: Statement
    private var streams: [TakenStream.Key: TakenStream] = [:]
    /// Streams that changed since the last commit, as they were then.
    private var before: [TakenStream.Key: TakenStream] = [:]

    init(_ database: Database) throws(DatabaseError) {
        highest = try database.prepare("SELECT ordinal FROM taken WHERE run = ?1 AND instance = ?2")
        missing = try database.prepare(
            "SELECT first, last FROM missing WHERE run = ?1 AND instance = ?2 ORDER BY first"
        )
        note = try database.prepare(
            "INSERT OR REPLACE INTO taken (run, instance, ordinal, seen) VALUES (?1, ?2, ?3, ?4)"
        )
        noteMissing = try database.prepare("INSERT INTO missing (run, instance, first, last) VALUES (?1, ?2, ?3, ?4)")
        forgetMissing = try database.prepare("DELETE FROM missing WHERE run = ?1 AND instance = ?2")
    }

    /// Notes that a beacon is taken; false when it was taken before.
    func take(_ beacon: StoredBeacon) throws(DatabaseError) -> Bool {
        let key = TakenStream.Key(run: beacon.identity.run, instance: beacon.identity.instance)
        if streams[key] == nil {
            if streams.count >= Self.kept { streams = before.isEmpty ? [:] : streams }
            streams[key] = try read(key)
        }
        let old = streams[key]
        guard streams[key]?.take(beacon.identity.ordinal, losses: beacon.losses) == true else { return false }
        if before[key] == nil {
            before[key] = old
        }
        return true
    }

    /// Writes what changed, in the transaction that is open.
    func write(at now: Int64) throws(DatabaseError) {
        for (key, old) in before {
            guard let stream = streams[key] else { continue }
            bind(key, to: note)
            note.bind(3, Int64(bitPattern: stream.highest))
            note.bind(4, now)
            try note.run()
            guard stream.missing != old.missing else { continue }
            bind(key, to: forgetMissing)
            try forgetMissing.run()
            for range in stream.missing {
                bind(key, to: noteMissing)
                noteMissing.bind(3, Int64(bitPattern: range.lowerBound))
                noteMissing.bind(4, Int64(bitPattern: range.upperBound))
                try noteMissing.run()
            }
        }
    }

    /// Notes that what changed is lasting.
    func settle() {
        before = [:]
    }

    /// Takes back what changed since the last commit.
    func rollBack() {
        streams.merge(before) { _, old in old }
        before = [:]
    }

    private func read(_ key: TakenStream.Key) throws(DatabaseError) -> TakenStream {
        defer {
            highest.reset()
            missing.reset()
        }
        bind(key, to: highest)
        let ordinal = try highest.step() ? UInt64(bitPattern: highest.int(0)) : 0
        bind(key, to: missing)
        var holes: [ClosedRange<UInt64>] = []
        while try missing.step() {
            let first = UInt64(bitPattern: missing.int(0))
            holes.append(first...max(first, UInt64(bitPattern: missing.int(1))))
        }
        return TakenStream(highest: ordinal, missing: holes)
    }

    private func bind(_ key: TakenStream.Key, to statement: Statement) {
        statement.bind(1, key.run)
        statement.bind(2, key.instance)
    }
}

/// Which beacons of one run and instance were taken: all up to a number, but for those that are known to be missing.
///
/// Beacons of a stream come in the order of their numbers. What a full queue or a full disk cost leaves a hole, which a
/// replay of the archive may fill; other holes are beacons that were not for this reporter.
package struct TakenStream: Equatable {
    /// What names a stream.
    struct Key: Hashable {
        let run: String
        let instance: String
    }

    /// The highest number that was taken.
    package private(set) var highest: UInt64
    /// Numbers below that were lost, in order.
    package private(set) var missing: [ClosedRange<UInt64>]
    /// How many losses had been told of when the last beacon came.
    private var losses: Int64 = 0

    /// Begins with what is known of a stream.
    package init(highest: UInt64, missing: [ClosedRange<UInt64>]) {
        self.highest = highest
        self.missing = missing
    }

    /// Takes a number; false when it was taken before.
    package mutating func take(_ ordinal: UInt64, losses now: Int64) -> Bool {
        defer { losses = now }
        if ordinal > highest {
            if now != losses, ordinal > highest + 1 {
                missing.append(highest + 1...ordinal - 1)
            }
            highest = ordinal
            return true
        }
        guard let index = missing.firstIndex(where: { $0.contains(ordinal) }) else { return false }
        let hole = missing.remove(at: index)
        if ordinal < hole.upperBound {
            missing.insert(ordinal + 1...hole.upperBound, at: index)
        }
        if ordinal > hole.lowerBound {
            missing.insert(hole.lowerBound...ordinal - 1, at: index)
        }
        return true
    }
}
