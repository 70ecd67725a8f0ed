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
