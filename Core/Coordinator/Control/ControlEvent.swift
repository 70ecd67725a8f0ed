package import EventModel
package import PluginLoading

/// A change from outside the player: archived with its cause, seen by no tracker but the one it concerns.
package struct ControlEvent: Sendable {
    /// What changes.
    package enum Change: Sendable {
        /// The tracker is enabled.
        case enable
        /// The tracker is disabled.
        case disable
        /// The tracker gets a new configuration: JSON text.
        case configure(String)
        /// The tracker gets a command with its arguments, JSON text.
        case command(String, arguments: String)
        /// The tracker joins the run.
        case load(TrackerSetup)
        /// The tracker takes the place of the one with its name.
        case replace(TrackerSetup)
    }

    /// The configured name of the tracker.
    package let instance: String
    /// What changes.
    package let change: Change
    /// Who wanted it: `operator`, `file`, `configuration`, `time_budget` or `crash`.
    package let cause: String

    package init(instance: String, change: Change, cause: String) {
        self.instance = instance
        self.change = change
        self.cause = cause
    }

    /// The event type that it is archived as.
    package var type: EventType {
        switch change {
        case .enable: .pluginEnabled
        case .disable: .pluginDisabled
        case .configure: .pluginConfigured
        case .command: .pluginCommand
        case .load: .pluginLoaded
        case .replace: .pluginReplaced
        }
    }

    /// The same with another configuration for the tracker that takes a place; other changes stay as they are.
    func configured(_ configuration: String?) -> ControlEvent {
        guard let configuration, case .replace(let setup) = change else { return self }
        var next = setup
        next.configuration = configuration
        return ControlEvent(instance: instance, change: .replace(next), cause: cause)
    }
}

/// What a plugin answered to a change that was archived.
package struct ControlAnswer: Sendable {
    /// The configured name of the tracker.
    package let instance: String
    /// What the plugin refused, nil when it did not.
    package var error: PluginError?
    /// The answer to a command, JSON text.
    package var text = ""
}
