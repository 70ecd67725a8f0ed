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
    /// Its configuration.
    public var configuration: JSONValue

    /// Selects a plugin; the instance has the plugin's own name unless another one is given.
    public init(_ plugin: String, name: String? = nil, enabled: Bool = true, configuration: JSONValue = .object([:])) {
        self.plugin = plugin
        self.name = name ?? plugin
        self.enabled = enabled
        self.configuration = configuration
    }
}
