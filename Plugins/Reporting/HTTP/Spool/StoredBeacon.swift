internal import Database
internal import PluginKit

/// A beacon that was taken and is not settled yet, with how far it has come.
struct StoredBeacon: Sendable {
    /// What names a beacon for ever: the same live, after a crash and in a replay.
    struct Identity: Hashable, Sendable {
        /// The player run.
        let run: String
        /// The configured name of the tracker.
        let instance: String
        /// The number of the beacon in its run and instance.
        let ordinal: UInt64

        /// `run/instance/ordinal`, as it goes into an idempotency header.
        var text: String { "\(run)/\(instance)/\(ordinal)" }
    }

    /// What its tracker said.
    let content: BeaconContent
    /// How many losses had been told of before it came: what is missing before it may have been lost in one.
    var losses: Int64 = 0
    /// Its place in the spool; 0 before it has one.
    var place: Int64 = 0
    /// How often it was tried.
    var attempts: Int64 = 0
    /// When it may be tried next, ms since 1970.
    var due: Int64 = 0

    init(_ content: BeaconContent) {
        self.content = content
    }

    var identity: Identity { content.identity }
    var destination: String { content.destination }
    var options: BeaconOptions { content.options }
    var size: Int { content.size }
}

/// A beacon as a row of the spool.
enum BeaconRow {
    /// Sets a statement's first parameters to a beacon.
    static func bind(_ beacon: StoredBeacon, to statement: Statement) {
        let content = beacon.content
        statement.bind(1, content.identity.run)
        statement.bind(2, content.identity.instance)
        statement.bind(3, Int64(bitPattern: content.identity.ordinal))
        statement.bind(4, Int64(content.session))
        statement.bind(5, content.destination)
        statement.bind(6, content.method)
        statement.bind(7, content.url)
        statement.bind(8, content.headers)
        statement.bind(9, content.body)
        statement.bind(10, content.credential)
        statement.bind(11, content.patches.isEmpty ? "" : PatchText.text(content.patches))
        statement.bind(12, Int64(content.options.rawValue))
        statement.bind(13, content.expires)
        statement.bind(14, beacon.attempts)
        statement.bind(15, beacon.due)
        statement.bind(16, Int64(content.size))
    }

    /// Reads a row; its place is the column behind the others.
    static func beacon(_ row: Statement) -> StoredBeacon {
        var beacon = StoredBeacon(
            BeaconContent(
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
        )
        beacon.attempts = row.int(13)
        beacon.due = row.int(14)
        beacon.place = row.int(16)
        return beacon
    }
}

/// Why a beacon was not delivered; each is counted by itself.
enum DropReason: String, Sendable, CaseIterable {
    /// It became older than it may.
    case expired
    /// It was tried as often as is allowed.
    case attempts
    /// The server refuses it: a status that a second try would not change.
    case refused
    /// There was no network, and it is not worth keeping.
    case offline
    /// One try was all that it wanted.
    case noRetry = "no_retry"
    /// The spool was larger than it may be, and this was the oldest.
    case evicted
    /// The address, the method or a header cannot be sent.
    case malformed
    /// The spool was damaged there.
    case damaged
    /// The queue in front of the reporter was full.
    case queueFull = "queue_full"
    /// The spool could not be written for longer than is allowed.
    case unwritable
    /// Its run or session was erased on request.
    case erased
}
