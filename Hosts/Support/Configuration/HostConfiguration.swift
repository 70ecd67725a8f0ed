package import Tally
package import TextEncoding

/// The configuration that a host works with: the file, and what the command line changed in it.
package struct HostConfiguration: Sendable, Equatable {
    /// All of it; its form has been checked, instances go by their names, and paths are relative to the present folder.
    package let value: JSONObject
    /// Where each key comes from; an instance's keys are under `plugins.<name>`.
    package let places: ConfigurationPlaces

    /// The value of a setting's key, or its default.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        setting.value([], setting.declaration.key.flatMap { JSONValue.object(value).value(at: $0) })
    }

    /// The plugin instances, in order.
    package var plugins: [PluginConfiguration] {
        (self[HostSettings.instances] ?? JSONObject()).map { member in
            PluginConfiguration(
                name: member.key,
                pluginID: member.value["plugin"]?.string ?? member.key,
                enabled: member.value["enabled"]?.bool ?? true,
                required: member.value["required"]?.bool,
                isolation: member.value["isolation"]?.string.flatMap(PluginIsolation.init),
                config: member.value["config"] ?? [:]
            )
        }
    }

    /// The part of one program.
    package func section(_ section: HostSection) -> JSONObject {
        value[section.rawValue]?.object ?? JSONObject()
    }

    /// Whether the player brings runs to their end that a crash cut off.
    package var recovers: Bool { self[HostSettings.recovers] }
    /// Whether the list of plugins stays as it is while the host runs.
    package var isFixed: Bool { self[HostSettings.isFixed] }
    /// What lies between trackers and reporters.
    package var delivery: JSONObject { self[HostSettings.delivery] }
    /// Blocks of configuration that several plugins get, by their names.
    package var shared: JSONObject { self[HostSettings.shared] }

    /// The problems that a plugin's schema finds in an instance's configuration, each with its place.
    package func violations(of schema: ConfigSchemaCheck, in plugin: PluginConfiguration) -> [ConfigurationError] {
        let path = "plugins.\(plugin.name).config"
        return schema.violations(in: plugin.config, path: path).map { .form(places.place(of: $0.path), $0) }
    }
}

/// One configured plugin instance.
package struct PluginConfiguration: Sendable, Equatable {
    /// The name of the instance, which records and beacons carry.
    package var name: String
    /// The id of the plugin.
    package var pluginID: String
    /// Whether it is enabled when a session starts.
    package var enabled: Bool
    /// Whether nothing starts without it; nil when the configuration does not say.
    package var required: Bool?
    /// Where a tracker of the player is; nil when the configuration does not say.
    package var isolation: PluginIsolation?
    /// What the plugin is configured with, always an object.
    package var config: JSONValue

    /// Makes an instance's configuration.
    package init(
        name: String,
        pluginID: String,
        enabled: Bool = true,
        required: Bool? = nil,
        isolation: PluginIsolation? = nil,
        config: JSONValue = [:]
    ) {
        self.name = name
        self.pluginID = pluginID
        self.enabled = enabled
        self.required = required
        self.isolation = isolation
        self.config = config
    }
}
