package import TextEncoding

/// One configured plugin instance.
package struct PluginConfiguration: Sendable, Equatable {
    /// The name of the instance, which records and beacons carry.
    package var name: String
    /// The id of the plugin.
    package var pluginID: String
    /// Whether it is enabled when a session starts.
    package var enabled: Bool
    /// What the plugin is configured with, always an object.
    package var config: JSONValue

    /// Makes an instance's configuration.
    package init(name: String, pluginID: String, enabled: Bool = true, config: JSONValue = [:]) {
        self.name = name
        self.pluginID = pluginID
        self.enabled = enabled
        self.config = config
    }
}
