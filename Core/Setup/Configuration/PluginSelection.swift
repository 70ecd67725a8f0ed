internal import PluginLoading
public import TextEncoding

/// One configured plugin instance.
public struct PluginSelection: Sendable, Equatable {
    /// The plugin's id, or its short name: `new-relic-video`.
    public var plugin: String
    /// The instance's name; records and beacons carry it.
    ///
    /// One plugin may be configured under several names.
    public var name: String
    /// Whether a tracker is enabled when a run begins.
    public var enabled: Bool
    /// Whether nothing starts without it; otherwise a plugin that is missing or cannot be loaded is left out.
    ///
    /// A plugin that is there and refuses its configuration is an error either way.
    public var required: Bool
    /// Where a tracker of a live run is; nil where the other options say it.
    public var isolation: PluginIsolation?
    /// Its configuration.
    public var configuration: JSONValue

    /// Selects a plugin; the instance has the plugin's own name unless another one is given.
    public init(
        _ plugin: String,
        name: String? = nil,
        enabled: Bool = true,
        required: Bool = true,
        isolation: PluginIsolation? = nil,
        configuration: JSONValue = .object([:])
    ) {
        self.plugin = plugin
        self.name = name ?? plugin
        self.enabled = enabled
        self.required = required
        self.isolation = isolation
        self.configuration = configuration
    }
}

/// Where a tracker or a reporter of a live run is; in a replay all are in its own process.
public enum PluginIsolation: String, Sendable, CaseIterable {
    /// In the player's process.
    case none
    /// In a process of its own, which is confined.
    case process
}

/// How many instances of a plugin may have one value of a key in their configurations.
///
/// An instance cannot see the others, so a plugin whose vendor has such a limit states it in its configuration schema,
/// and it is checked where all instances are known: `"x-instances": {"maximum": 4, "sharing": "appid"}`. An instance
/// that does not give the key is not counted.
struct InstanceLimit {
    private let maximum: Int64
    private let key: String

    /// Reads a schema; nil when it states no limit.
    init?(schema: String?) {
        guard let schema, let value = try? JSONParser().parse(schema), let limit = value["x-instances"],
            let maximum = limit["maximum"]?.int, let key = limit["sharing"]?.string
        else { return nil }
        self.maximum = maximum
        self.key = key
    }

    /// Refuses the first instance that is one too many, enabled or not: it could be enabled while the others work.
    static func check(_ selections: [PluginSelection], _ catalog: PluginCatalog) throws(TelemetryError) {
        var counts: [String: Int64] = [:]
        for selection in selections {
            guard let entry = try? catalog.find(selection.plugin),
                let limit = InstanceLimit(schema: entry.description.configurationSchema),
                let value = selection.configuration[limit.key], !value.isNull
            else { continue }
            let place = "\(entry.description.id) \(limit.key) \(value.canonicalText)"
            counts[place, default: 0] += 1
            guard counts[place, default: 0] > limit.maximum else { continue }
            throw TelemetryError(
                kind: .configuration,
                "only \(limit.maximum) instances of \(entry.description.id) can have the \(limit.key) "
                    + "\(value.canonicalText); remove this one or give it another \(limit.key)",
                instance: selection.name
            )
        }
    }
}
