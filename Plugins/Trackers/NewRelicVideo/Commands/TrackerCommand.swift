internal import PluginKit

/// What an application can ask of the trackers while they run: the guide's calls to an instance; descriptors say what.
package enum TrackerCommand: String, CaseIterable, Sendable {
    case trackers, contentTracker, adTracker, get, getAll, delivery
    case startTracker, releaseTracker, sendEvent, send, setAttribute, setGlobalAttribute, setUserId, addTimeSinceEntry
    case setHeartbeatTime

    /// The command as the host lists it.
    var descriptor: CommandDescriptor {
        switch self {
        case .trackers: query("lists the trackers by id, and which of content and ad each has")
        case .contentTracker: query("{id}: the state of the content's tracker; refused when there is none")
        case .adTracker: query("{id}: the state of the ads' tracker; refused when there is none")
        case .get: query("{id, tracker, attribute}: one attribute as it is now, such as duration or viewId")
        case .getAll: query("{id, tracker}: all attributes as they are now")
        case .delivery: query("how much was delivered, and what was cut to keep within limits")
        case .startTracker: change("{trackers}: starts further trackers (auto, pair, content, ad); answers their id")
        case .releaseTracker: change("{id}: releases trackers, which say nothing more")
        case .sendEvent: change("{id, tracker, action, attributes}: sends an event of one's own")
        case .send: change("{id, tracker, sender}: calls a sender, such as pause or adClick")
        case .setAttribute: change("{id, tracker, name, value, actions}: an attribute for events of one tracker")
        case .setGlobalAttribute: change("{name, value, actions}: an attribute for events of all trackers")
        case .setUserId: change("{userId}: the value of enduser.id on all events from now on")
        case .addTimeSinceEntry: change("{id, tracker, action, attribute, actions}: a row of the time-since table")
        case .setHeartbeatTime: change("{seconds}: time between two heartbeats; below 1 there are none")
        }
    }

    private func query(_ summary: String) -> CommandDescriptor {
        CommandDescriptor(rawValue, summary, changesState: false)
    }

    private func change(_ summary: String) -> CommandDescriptor {
        CommandDescriptor(rawValue, summary, changesState: true)
    }
}

/// How the arguments of commands are read.
enum CommandArgument {
    /// The tracker that `id` and `tracker` name, by default the first one of the pair 0; nil when there is none.
    static func tracker(
        _ arguments: JSONValue,
        isAd: Bool?,
        of agent: VideoAgent
    ) throws(ConfigurationError) -> VideoTracker? {
        let pair = agent.pair(try arguments.integer("id", default: 0))
        if let isAd { return isAd ? pair?.ad : pair?.content }
        switch try arguments.choice("tracker", of: ["content", "ad", ""], default: "") {
        case "content": return pair?.content
        case "ad": return pair?.ad
        default: return pair?.content ?? pair?.ad
        }
    }

    /// Why a tracker was not found.
    static func noTracker(_ arguments: JSONValue) -> ConfigurationError {
        .unusable(
            key: "id",
            value: arguments["id"]?.canonicalText ?? "0",
            expected: "the id of a tracker that was started and not released; \"trackers\" lists them"
        )
    }

    /// An attribute with `name`, `value` and, where it is not for all events, `actions`.
    static func attribute(_ arguments: JSONValue) throws(ConfigurationError) -> AttributeSetting {
        AttributeSetting(
            try arguments.required("name", .attributeName),
            try ConfigurationForm.attributeValue.read(arguments["value"] ?? .null, "value"),
            filter: try arguments.value("actions", .filter) ?? .every
        )
    }

    /// The attributes of an own event.
    static func attributes(_ arguments: JSONValue) throws(ConfigurationError) -> [AttributeSetting] {
        (try arguments.value("attributes", .values) ?? []).map { AttributeSetting($0.name, $0.value) }
    }
}
