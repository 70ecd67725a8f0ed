public import EventModel
public import TextEncoding

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

/// A reporter with commands and queries of its own (`tally.command/1`).
public protocol CommandHandlingReporter: Reporter {
    /// The commands that there are, the same each time.
    static var commands: [CommandDescriptor] { get }

    /// Runs a command and gives its answer, on the reporter's thread.
    ///
    /// `command` is one of the names in ``commands``; `arguments` is an object without members when none were given.
    func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue
}
