/// Brings beacons to where they go, any number at the same time; what it does not bring is tried again, or given up.
///
/// Used by the sender's thread alone, but for ``wake()``.
package protocol Carrier: AnyObject, Sendable {
    /// The beacons under way.
    var underway: [StoredBeacon] { get }
    /// How many they are.
    var count: Int { get }
    /// How many may be: to all destinations together, and to one of them.
    var limits: (all: Int, one: Int) { get }
    /// How many of a destination are kept in memory at most, and their bytes; the rest waits in the spool.
    ///
    /// They are what is sent while the spool is written.
    var window: (beacons: Int, bytes: Int) { get }

    /// Begins to bring a beacon; `attempt` says how often it was tried, this time included.
    func start(_ beacon: StoredBeacon, attempt: Int64) -> CarrierStart

    /// Goes on with what is under way, and hands on each beacon that is so no more.
    func perform(_ ended: (StoredBeacon, CarrierOutcome) -> Void)

    /// Waits until something can go on, ``wake()`` is called, or the time is over, ms.
    func wait(milliseconds: Int64)

    /// Ends a wait; from any thread.
    func wake()
}

extension Carrier {
    package var window: (beacons: Int, bytes: Int) { (1_024, 1 << 20) }
}

/// What came of the wish to bring a beacon.
package enum CarrierStart {
    /// It is under way.
    case started
    /// There is no room or memory for it now.
    case busy
    /// It waits for something that is not configured, as the text says, which is logged once for each key.
    case waits(key: String, String)
    /// It can never be sent, and why.
    case malformed(String)
}

/// What became of a beacon that was under way.
package enum CarrierOutcome {
    /// It arrived.
    case delivered
    /// It did not arrive, or nobody knows; another try may do better.
    case failed(CarrierFailure)
    /// Who should take it does not, and never will; `status` is what was answered, 0 when that is no number.
    case refused(String, status: Int)
    /// It can never be sent, and why.
    case malformed(String)
}

/// Why a beacon did not arrive.
package struct CarrierFailure: Equatable {
    /// Why, in one line.
    package var text: String
    /// What was answered, 0 when that is no number.
    package var status = 0
    /// How long its destination wants to be left alone, ms.
    package var retryAfter: Int64?
    /// Whether it may have arrived all the same.
    package var wasSent = true
    /// Whether nobody was reached at all.
    package var isOffline = false
    /// What is logged once for a destination, besides.
    package var warning: String?

    /// A failure for one reason.
    package init(_ text: String) { self.text = text }
}
