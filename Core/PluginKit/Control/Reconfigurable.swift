public import EventModel
public import TextEncoding

/// A tracker that takes a new configuration in mid-run (`tally.configure/1`).
///
/// A tracker that is not one keeps its configuration until its run ends.
public protocol Reconfigurable: Tracker {
    /// Takes over a new configuration, whole; its form fits the descriptor's schema.
    ///
    /// Called in order with the events, from `init` on; while the tracker is enabled it may emit. What an unusable
    /// value does is the tracker's rule: it may refuse by throwing and go on as before, or go into an error state.
    ///
    /// - Parameters:
    ///   - configuration: the configuration as it is to be from now on.
    ///   - time: what the time is, us since the run began.
    ///   - state: the player at that instant.
    /// - Throws: which key cannot be used, and why.
    func reconfigure(_ configuration: JSONValue, at time: Int64, state: PlayerState) throws(ConfigurationError)
}

/// A reporter that takes a new configuration in mid-run (`tally.configure/1`).
public protocol ReconfigurableReporter: Reporter {
    /// Takes over a new configuration, whole; its form fits the descriptor's schema.
    ///
    /// Called on the reporter's thread. One that cannot be used is refused by throwing; the reporter then goes on as
    /// before. What it wants to take is asked again after it.
    func reconfigure(_ configuration: JSONValue) throws(ConfigurationError)
}
