package import TextEncoding

/// The configuration that a host works with: the file, and what the command line changed in it.
package struct HostConfiguration: Sendable, Equatable {
    /// The plugin instances, in order.
    package let plugins: [PluginConfiguration]
    /// Folders to look for plugins in, before the usual ones; relative ones are relative to the present folder.
    package let pluginDirectories: [String]
    /// Where the archive goes; nil when none is asked for.
    package let archive: String?
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
