internal import Database

/// Which beacons a spool has taken, of all runs and instances.
final class TakenStreams {
    /// Streams that are kept in memory at most.
    private static let kept = 4_096

    private let highest: Statement
    private let missing: Statement
    private let insertion: Statement
    private let missingInsertion: Statement
    private let missingRemoval: Statement
    private var streams: [TakenStream.Key: Stream] = [:]
    /// Those that changed since the last commit.
    private var changed: [Stream] = []
    /// The one of the last beacon, of which the next one mostly is, too.
    private var last: Stream?

    /// A stream, with what it was at the last commit where it has changed since.
    private final class Stream {
        let key: TakenStream.Key
        var now: TakenStream
        var before: TakenStream?

        init(_ key: TakenStream.Key, _ now: TakenStream) { (self.key, self.now) = (key, now) }
    }

    init(_ database: Database) throws(DatabaseError) {
        highest = try database.prepare("SELECT ordinal FROM taken WHERE run = ?1 AND instance = ?2")
        missing = try database.prepare(
            "SELECT first, last FROM missing WHERE run = ?1 AND instance = ?2 ORDER BY first"
        )
        insertion = try database.prepare(
            "INSERT OR REPLACE INTO taken (run, instance, ordinal, seen) VALUES (?1, ?2, ?3, ?4)"
        )
        missingInsertion = try database.prepare(
            "INSERT INTO missing (run, instance, first, last) VALUES (?1, ?2, ?3, ?4)"
        )
        missingRemoval = try database.prepare("DELETE FROM missing WHERE run = ?1 AND instance = ?2")
    }

    /// Records that a beacon is taken; false when it was taken before.
    func insert(_ beacon: StoredBeacon) throws(DatabaseError) -> Bool {
        let stream = try stream(TakenStream.Key(run: beacon.identity.run, instance: beacon.identity.instance))
        let old = stream.now
        guard stream.now.insert(beacon.identity.ordinal, losses: beacon.losses) else { return false }
        if stream.before == nil {
            stream.before = old
            changed.append(stream)
        }
        return true
    }

    private func stream(_ key: TakenStream.Key) throws(DatabaseError) -> Stream {
        if let last, last.key == key { return last }
        if streams.count >= Self.kept, changed.isEmpty { (streams, last) = ([:], nil) }
        let stream: Stream
        if let known = streams[key] { stream = known } else { stream = Stream(key, try read(key)) }
        streams[key] = stream
        last = stream
        return stream
    }

    /// Writes what changed, in the transaction that is open.
    func write(at now: Int64) throws(DatabaseError) {
        for stream in changed {
            let key = stream.key
            try insertion.run([key.run, key.instance, Int64(bitPattern: stream.now.highest), now])
            guard stream.now.missing != stream.before?.missing else { continue }
            try missingRemoval.run([key.run, key.instance])
            for range in stream.now.missing {
                let (first, last) = (Int64(bitPattern: range.lowerBound), Int64(bitPattern: range.upperBound))
                try missingInsertion.run([key.run, key.instance, first, last])
            }
        }
    }

    /// Forgets how the streams were: what changed is lasting.
    func forgetOld() {
        for stream in changed { stream.before = nil }
        changed = []
    }

    /// Takes back what changed since the last commit.
    func rollBack() {
        for stream in changed {
            stream.now = stream.before ?? stream.now
            stream.before = nil
        }
        changed = []
    }

    private func read(_ key: TakenStream.Key) throws(DatabaseError) -> TakenStream {
        let ordinal = try highest.rows([key.run, key.instance]) { UInt64(bitPattern: $0.int(0)) }.first ?? 0
        let holes = try missing.rows([key.run, key.instance]) { row in
            let first = UInt64(bitPattern: row.int(0))
            return first...max(first, UInt64(bitPattern: row.int(1)))
        }
        return TakenStream(highest: ordinal, missing: holes)
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

    /// Inserts a number; false when it was taken before.
    package mutating func insert(_ ordinal: UInt64, losses now: Int64) -> Bool {
        defer { losses = now }
        if ordinal > highest {
            if now != losses, ordinal > highest + 1 { missing.append(highest + 1...ordinal - 1) }
            highest = ordinal
            return true
        }
        guard let index = missing.firstIndex(where: { $0.contains(ordinal) }) else { return false }
        let hole = missing.remove(at: index)
        if ordinal < hole.upperBound { missing.insert(ordinal + 1...hole.upperBound, at: index) }
        if ordinal > hole.lowerBound { missing.insert(hole.lowerBound...ordinal - 1, at: index) }
        return true
    }
}
