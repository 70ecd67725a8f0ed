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
