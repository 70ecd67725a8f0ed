internal import Database
internal import PluginKit

/// A beacon that was taken and is not settled yet, with how far it has come.
package struct StoredBeacon: Sendable {
    /// What names a beacon for ever: the same live, after a crash and in a replay.
    package struct Identity: Hashable, Sendable {
        /// The player run.
        package let run: String
        /// The configured name of the tracker.
        package let instance: String
        /// The number of the beacon in its run and instance.
        package let ordinal: UInt64

        /// Names a beacon.
        package init(run: String, instance: String, ordinal: UInt64) {
            (self.run, self.instance, self.ordinal) = (run, instance, ordinal)
        }

        /// `run/instance/ordinal`, as it goes into an idempotency header.
        package var text: String { "\(run)/\(instance)/\(ordinal)" }
    }

    /// What its tracker said.
    package let content: BeaconContent
    /// How many losses had been told of before it came: what is missing before it may have been lost in one.
    var losses: Int64 = 0
    /// Its place in the spool; 0 before it has one.
    package internal(set) var place: Int64 = 0
    /// How often it was tried.
    var attempts: Int64 = 0
    /// When it may be tried next, by the spool's clock.
    var due: Int64 = 0

    /// What names it.
    package var identity: Identity { content.identity }
    /// Whom it is for.
    package var destination: String { content.destination }
    var options: BeaconOptions { content.options }
    /// Bytes that it takes in the spool, about.
    package var size: Int { content.size }
}

// A beacon as a row of the spool.
extension StoredBeacon {
    /// Reads a row of ``SpoolSchema/columns``; its place is the column behind them.
    init(row: Statement) {
        content = BeaconContent(row: row)
        attempts = row.int(13)
        due = row.int(14)
        place = row.int(16)
    }
}

/// Why a beacon was not delivered; each is counted by itself.
package enum DropReason: String, Sendable, CaseIterable {
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
    /// The program ended, and no file keeps what waited.
    case gone

    /// Reasons of what never came to the sender: its host has counted that as well.
    static let ofHost: [DropReason] = [.queueFull, .unwritable]
}
