package import PluginKit

/// What can be configured.
package struct TrackerConfiguration: DeclaredConfiguration {
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
    /// Generation B's figures of a view are sent every so many cycles; 0 at the end alone.
    package var qualityCycles: Int64 = 2

    /// Used when nothing is configured.
    package static let defaultTrackerName = "tally"

    /// What holds without a configuration.
    package init() {}

    /// What can be configured.
    package static let keys = [
        Key("generation", \.generation, .word, "Generation of the vendor's data model."),
        Key(
            "platform",
            \.platform,
            .word,
            "Generation B: which of the vendor's agents `src` and `instrumentation.name` tell."
        ),
        Key(
            "trackers",
            \.trackers,
            .word,
            "Which trackers there are; `auto` starts that of the ads with the first one."
        ),
        Key("heartbeatSeconds", \.heartbeatPeriod, heartbeat, "Time between two heartbeats; below 1 there are none."),
        Key("trackerName", \.trackerName, .nonEmpty, "The value of `trackerName`."),
        Key("userId", .nonEmpty, "The value of `enduser.id` on all events.") {
            $1.attributes.append(AttributeSetting(userAttribute, .string($0)))
        },
        Key(
            "attributes",
            .attributes,
            "Attributes for all events, whatever the action is called; they win over those of the tracker."
        ) { $1.attributes += $0 },
        Key(
            "attributesForActions",
            .list(of: .declared, most: mostEntries),
            "Attributes for the events whose whole action the regular expression `actions` matches."
        ) { $1.attributes += $0 },
        Key(
            "timeSince",
            \.timeSince,
            .list(of: .declared, most: mostEntries),
            "Further attributes that tell the time since an action."
        ),
        Key(
            "rules",
            \.rules,
            .list(of: .declared, most: mostEntries),
            "What is done with events before they are sent."
        ),
        Key(
            "obfuscation",
            \.obfuscation,
            .list(of: .declared, most: mostEntries),
            "Regular expressions whose matches are replaced in all texts; by `***` without a replacement."
        ),
        Key("delivery", \.delivery, .declared, "Delivery to the Event API; without it events are records alone."),
        Key(
            "qoeAggregateHarvests",
            \.qualityCycles,
            .integer(0...1000),
            "Generation B: `QOE_AGGREGATE` comes every so many cycles, the first included; 0 for the end alone."
        ),
    ]

    private static let heartbeat = ConfigurationForm.integer(Int64.min...longestHeartbeat)
        .map({ heartbeatPeriod($0) }, back: { ($0 ?? 0) / 1_000_000 })

    /// The name of the attribute that tells the user.
    package static let userAttribute = "enduser.id"
    /// The longest time between two heartbeats, s.
    package static let longestHeartbeat: Int64 = 86_400
    private static let mostEntries = 64

    /// The period of a heartbeat every so many seconds, us; nil for none.
    package static func heartbeatPeriod(_ seconds: Int64) -> Int64? { seconds < 1 ? nil : seconds * 1_000_000 }
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
    package internal(set) var action = ""
    /// The attribute that tells the time since.
    package internal(set) var attribute = ""
    /// The actions that carry the attribute.
    package internal(set) var filter = ActionFilter.every

    /// Begins without an action.
    package init() {}

    /// Makes a row.
    init(action: String, attribute: String, filter: ActionFilter) {
        (self.action, self.attribute, self.filter) = (action, attribute, filter)
    }
}
