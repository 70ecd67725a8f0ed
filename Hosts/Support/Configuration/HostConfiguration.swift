package import Tally
package import TextEncoding

/// The configuration that a host works with: the file, and what the command line changed in it.
package struct HostConfiguration: Sendable, Equatable {
    /// The plugin instances, in order.
    package let plugins: [PluginConfiguration]
    /// Folders to look for plugins in, before the usual ones; relative ones are relative to the present folder.
    package let pluginDirectories: [String]
    /// Where the archive goes; nil when none is asked for.
    package let archive: String?
    /// Whether the player brings runs to their end that a crash cut off.
    package let recovers: Bool
    /// The file that keeps the trackers' persistent values; nil keeps none.
    package let store: String?
    /// Where the control socket is; nil for none.
    package let controlSocket: String?
    /// What becomes of plugin files that come while the host runs; nil unless the configuration says.
    package let dropIn: PluginWatch.OnDrop?
    /// Whether the plugin directories are looked at while the host runs.
    package let watchesDirectories: Bool
    /// Whether the list of plugins stays as it is while the host runs.
    package let isFixed: Bool
    /// What lies between trackers and reporters; its form has been checked.
    package let delivery: JSONObject
    /// Blocks of configuration that several plugins get, by their names.
    package let shared: JSONObject
    /// The values of the keys that the host itself declared.
    package let settings: JSONObject
    /// Where each key comes from; an instance's keys are under `plugins.<name>`.
    package let places: ConfigurationPlaces

    /// The problems that a plugin's schema finds in an instance's configuration, each with its place.
    package func violations(of schema: ConfigSchemaCheck, in plugin: PluginConfiguration) -> [ConfigurationError] {
        let path = "plugins.\(plugin.name).config"
        return schema.violations(in: plugin.config, path: path).map { .form(places.place(of: $0.path), $0) }
    }
}
