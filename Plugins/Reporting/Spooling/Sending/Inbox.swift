internal import PluginKit

/// What the reporter's thread hands to the sender's.
struct Inbox {
    /// Bytes that may wait for the sender; beyond that the host keeps its outputs.
    static let largest = 4 << 20

    /// A question of a person, answered on the sender's thread.
    struct Question {
        typealias Body = @Sendable (Sender) throws(CommandError) -> JSONValue

        let number: Int
        let body: Body
    }

    /// A spool that cannot be written.
    struct Stall {
        /// Since when, ms of the monotonic clock.
        let since: Int64
        /// What is wrong with it.
        let reason: String
    }

    /// Taken and not committed, the sender's share included.
    var bytes = 0
    /// In the spool, as of the last commit.
    var spooled: Int64 = 0
    /// The largest spool of a host that waits for room; others have the oldest make way.
    var largestSpool = Int64.max
    var beacons: [StoredBeacon] = []
    var flushes: [FlushRequest] = []
    var questions: [Question] = []
    var answers: [Int: Result<JSONValue, CommandError>] = [:]
    var asked = 0
    /// Outputs that the host's queue lost, and beacons that were refused, since the sender looked.
    var lost: Int64 = 0
    var refused: Int64 = 0
    /// How many times something was lost or refused.
    var losses: Int64 = 0
    /// When the sender has to end; nil while it is to go on.
    var end: Int64?
    /// Whether the host was told that nothing more fits.
    var isFull = false
    /// Whether that was because the spool is full.
    var isHeld: Bool { isFull && isSpoolFull }

    /// Whether a spool that may not make room by itself is as large as it may be.
    var isSpoolFull: Bool { spooled + Int64(bytes) >= largestSpool }
    /// What became of beacons until the last sender ended.
    var totals = DeliveryTotals()
    /// Why nothing can be committed, while that is so.
    var stall: Stall?

    /// Puts in what was taken.
    mutating func add(_ content: BeaconContent) {
        let stored = StoredBeacon(content: content, losses: losses)
        bytes += stored.size
        beacons.append(stored)
    }

    /// Refuses outputs when the spool could not be written for longer than `patience`, ms, and gives why.
    mutating func refuse(_ outputs: Int, after patience: Int64) -> Stall? {
        guard let stall, SystemClock.monotonic() - stall.since >= patience else { return nil }
        refused += Int64(outputs)
        losses += 1
        return stall
    }

    /// Whether the sender has anything to take over.
    var hasWork: Bool { !beacons.isEmpty || !flushes.isEmpty || !questions.isEmpty || lost > 0 || refused > 0 }
}
