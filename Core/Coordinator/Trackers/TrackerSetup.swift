package import PluginLoading

/// One tracker that a player run is to have.
package struct TrackerSetup: Sendable {
    /// The configured name of the instance.
    package let name: String
    /// The plugin and its library.
    package let entry: PluginCatalog.Entry
    /// JSON text of its configuration.
    package var configuration: String
    /// Whether it is enabled when the run begins.
    package var enabled: Bool

    /// Persistent values as they are when the run begins, by key.
    package var stored: [String: String] = [:]

    package init(name: String, entry: PluginCatalog.Entry, configuration: String, enabled: Bool) {
        self.name = name
        self.entry = entry
        self.configuration = configuration
        self.enabled = enabled
    }
}
