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

/// A tracker with commands and queries of its own (`tally.command/1`).
public protocol CommandHandling: Tracker {
    /// The commands that there are, the same each time.
    static var commands: [CommandDescriptor] { get }

    /// Runs a command and gives its answer.
    ///
    /// Called in order with the events. A command whose descriptor says that it changes state is archived and runs
    /// again in a replay; while the tracker is enabled it may emit. A query must change nothing and emit nothing: a
    /// replay does not know of it.
    ///
    /// - Parameters:
    ///   - command: one of the names in ``commands``.
    ///   - arguments: an object without members when none were given.
    ///   - time: what the time is, us since the run began.
    ///   - state: the player at that instant.
    /// - Returns: the answer.
    /// - Throws: why the command was not run.
    func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue
}
