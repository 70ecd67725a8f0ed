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
        guard let configuration, case .replace(let setup) = change, !setup.isElsewhere else { return self }
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
    /// Where the answer will come from that a tracker in another process gives.
    package var later: (any LaterAnswer)?

    /// An answer that says nothing.
    package init(instance: String) { self.instance = instance }

    /// The same when all is known; waits at most `limit`, ms, on a thread that is not the run's.
    package func awaited(limit: Int64) -> ControlAnswer {
        guard let later else { return self }
        var answer = self
        answer.later = nil
        switch later.value(limit: limit) {
        case .success(let text): answer.text = text
        case .failure(let error): answer.error = error
        }
        return answer
    }
}

/// What a tracker in another process answers when it has come to a change or a query.
package protocol LaterAnswer: AnyObject, Sendable {
    /// The answer, JSON text; waits at most `limit`, ms, on a thread that is not the run's.
    func value(limit: Int64) -> Result<String, PluginError>
}

/// The answer to a query.
package enum QueryAnswer {
    /// It is here.
    case now(Result<String, PluginError>)
    /// A tracker in another process gives it.
    case later(any LaterAnswer)

    /// The answer, JSON text; waits at most `limit`, ms, on a thread that is not the run's.
    package func value(limit: Int64) -> Result<String, PluginError> {
        switch self {
        case .now(let answer): answer
        case .later(let answer): answer.value(limit: limit)
        }
    }
}
