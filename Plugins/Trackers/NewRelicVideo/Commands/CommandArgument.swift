internal import PluginKit

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

    /// The name of an action.
    static func action(_ key: String, in arguments: JSONValue) throws(ConfigurationError) -> String {
        let name = try arguments.text(key)
        guard (1...Limits.nameBytes).contains(name.utf8.count) else {
            throw .unusable(key: key, value: "\"\(name)\"", expected: "a name of 1 to \(Limits.nameBytes) bytes")
        }
        return name
    }

    /// An attribute with `name`, `value` and, where it is not for all events, `actions`.
    static func attribute(_ arguments: JSONValue) throws(ConfigurationError) -> AttributeSetting {
        AttributeSetting(
            try TrackerConfiguration.attributeName(arguments.text("name"), "name"),
            try TrackerConfiguration.attributeValue(arguments["value"] ?? .null, "value"),
            filter: try TrackerConfiguration.filter("actions", in: arguments)
        )
    }

    /// The attributes of an own event.
    static func attributes(_ arguments: JSONValue) throws(ConfigurationError) -> [AttributeSetting] {
        try TrackerConfiguration.values("attributes", in: arguments, at: "attributes")
            .map { AttributeSetting($0.name, $0.value) }
    }
}
