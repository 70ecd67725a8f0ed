package import Coordinator
internal import PluginLoading
package import TextEncoding

/// What plugins are changed in by commands: a live player run, or a replay with all the runs that it reads.
///
/// Each call may wait for a plugin's own thread; none may be made on one.
package protocol ControlledPlayback: AnyObject, Sendable {
    /// What the plugins are and did.
    func plugins() -> [PluginStatus]

    /// What an instance is, as the thread says that it lives on; nil when there is none of the name.
    ///
    /// - Throws: ``ControlError`` when that thread does not answer in time, or is over. A change of the instance that
    ///   it has not begun with is withdrawn then.
    func confirmedStatus(of name: String) throws(ControlError) -> PluginStatus?

    /// Enables an instance.
    func enable(plugin name: String, cause: ControlCause) -> PluginChange

    /// Disables an instance.
    func disable(plugin name: String, cause: ControlCause) -> PluginChange

    /// Gives an instance a new configuration, whole.
    func configure(plugin name: String, _ configuration: JSONValue, cause: ControlCause) throws(ControlError)

    /// Gives an instance a command, or asks it a query.
    func command(
        plugin name: String,
        _ command: String,
        _ arguments: JSONValue,
        cause: ControlCause,
        limit: Int64?
    ) throws(ControlError) -> JSONValue

    /// The ids of the player runs that are open; of a replay that has none at the moment, of its last one.
    var openRuns: [String] { get }
}

extension Coordinator {
    /// What a tracker answers to a query; nil for a command that changes state, or that the tracker does not list.
    package func answer(
        toQuery command: String,
        of name: String,
        arguments: String,
        at time: Int64
    ) -> QueryAnswer? {
        let report = reports.first { $0.name == name }
        guard report?.commands.first(where: { $0.name == command })?.changesState == false else { return nil }
        return query(name, command, arguments: arguments, at: time)
    }
}

/// What became of a wish to enable or disable a tracker.
public enum PluginChange: Sendable, Equatable {
    /// It will be so at the next event.
    case requested
    /// It is enabled already: nothing happens.
    case alreadyEnabled
    /// It is disabled already: nothing happens.
    case alreadyDisabled
    /// No plugin has this name.
    case unknown(known: [String])
    /// A reporter refused, with its reason.
    case refused(String)
}

/// Who wanted a change at run time; archived with it.
public enum ControlCause: String, Sendable {
    /// A person, or a program that acts for one.
    case `operator`
    /// A plugin file that came or changed.
    case file
    /// A configuration file that was read again.
    case configuration
    /// A plugin that took too long.
    case timeBudget = "time_budget"
    /// A plugin in whose call a process died.
    case crash
}
