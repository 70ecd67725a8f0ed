package import PluginKit

/// What can be configured.
package struct TrackerConfiguration: Sendable {
    /// Which generation of the data model is spoken.
    package var generation = Generation.a
    /// Which of the vendor's agents generation B names itself after.
    package var platform = Platform.ios
    /// Which trackers there are.
    package var trackers = TrackerRoles.auto
    /// Time between two heartbeats, us; nil for none.
    package var heartbeatPeriod: Int64? = 30_000_000
    /// The value of `trackerName`.
    package var trackerName = Self.defaultTrackerName
    /// Attributes for events, in order, that of the user first.
    package var attributes: [AttributeSetting] = []
    /// Further rows of the time-since table.
    package var timeSince: [TimeSinceSetting] = []
    /// What is done with events before they are sent.
    package var rules: [EventRule] = []
    /// What is hidden in their texts.
    package var obfuscation: [ObfuscationRule] = []
    /// How events are delivered, nil when they are records alone.
    package var delivery: DeliveryConfiguration?
    /// Generation B's figures of a view are sent every so many harvests; 0 at the end alone.
    package var qualityHarvests: Int64 = 2

    /// Used when nothing is configured.
    package static let defaultTrackerName = "tally"

    /// What holds without a configuration.
    package init() {}

    /// Reads a configuration.
    package init(_ json: JSONValue) throws(ConfigurationError) {
        generation = try json.choice("generation", of: ["A", "B"], default: "A") == "B" ? .b : .a
        platform = try json.choice("platform", of: ["ios", "android"], default: "ios") == "ios" ? .ios : .android
        let roles = TrackerRoles.allCases.map(\.rawValue)
        trackers = TrackerRoles(rawValue: try json.choice("trackers", of: roles, default: "auto")) ?? .auto
        heartbeatPeriod = Self.heartbeatPeriod(
            try json.integer("heartbeatSeconds", in: Int64.min...Self.longestHeartbeat, default: 30)
        )
        trackerName = try Self.nonEmpty("trackerName", in: json) ?? Self.defaultTrackerName
        if let user = try Self.nonEmpty("userId", in: json) {
            attributes.append(AttributeSetting(Self.userAttribute, .string(user)))
        }
        attributes += try Self.attributes(json["attributes"] ?? .null)
        attributes += try Self.list("attributesForActions", in: json, most: Self.mostEntries, Self.attributeForActions)
        timeSince = try Self.list("timeSince", in: json, most: Self.mostEntries, Self.timeSinceSetting)
        rules = try Self.list("rules", in: json, most: Self.mostEntries, Self.rule)
        obfuscation = try Self.list("obfuscation", in: json, most: Self.mostEntries, Self.obfuscationRule)
        if let delivery = json["delivery"], !delivery.isNull {
            self.delivery = try DeliveryConfiguration(delivery)
        }
        qualityHarvests = try json.integer("qoeAggregateHarvests", in: 0...1000, default: 2)
    }

    /// The name of the attribute that tells the user.
    package static let userAttribute = "enduser.id"
    /// The longest time between two heartbeats, s.
    package static let longestHeartbeat: Int64 = 86_400
    private static let mostEntries = 64

    /// The period of a heartbeat every so many seconds, us; nil for none.
    package static func heartbeatPeriod(_ seconds: Int64) -> Int64? {
        seconds < 1 ? nil : seconds * 1_000_000
    }
}

/// Which trackers an instance starts (the guide's `startWithContentTracker:adTracker:`).
package enum TrackerRoles: String, CaseIterable, Sendable {
    /// One for the content, and one for ads under the same id as soon as there is one.
    case auto
    /// Both from the beginning.
    case pair
    /// One for the content alone.
    case content
    /// One for ads alone.
    case ad
}

/// A further row of the time-since table.
package struct TimeSinceSetting: Sendable {
    /// The action that sets the stamp.
    package let action: String
    /// The attribute that tells the time since.
    package let attribute: String
    /// The actions that carry the attribute.
    package let filter: ActionFilter

    /// Makes a row.
    package init(action: String, attribute: String, filter: ActionFilter) {
        self.action = action
        self.attribute = attribute
        self.filter = filter
    }
}
