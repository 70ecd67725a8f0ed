internal import Coordinator
package import Tally
package import TextEncoding

/// What a host's command line and configuration come to: which plugins there are, which run, and with what.
package struct HostSetup: Sendable {
    /// The configuration with the changes of the command line.
    package let configuration: HostConfiguration
    /// Where plugins are looked for.
    package let directories: [PluginDirectory]

    private let section: HostSection
    private let catalog: PluginCatalog

    /// Reads the configuration; loads no plugin yet.
    ///
    /// - Parameters:
    ///   - arguments: of a command line with ``PluginOptions/all``.
    ///   - section: the host's own part of the configuration.
    ///   - schema: the form of that part.
    ///   - needsPlugins: whether all that are found are loaded, also when none is chosen.
    /// - Throws: what is wrong with the configuration, or with a folder that was named for plugins.
    package init(
        _ arguments: CommandLineArguments,
        section: HostSection,
        schema: JSONObject = ["type": "object"],
        needsPlugins: Bool = false
    ) throws(HostError) {
        do throws(ConfigurationError) {
            configuration = try ConfigurationFile(hostKeys: HostSection.keys(own: section, schema: schema)).load(
                path: arguments.value("config"),
                chosenPlugins: arguments.isSet("plugins") ? arguments.list("plugins") : nil,
                overrides: arguments.values("set")
            )
        } catch {
            throw .configuration([error])
        }
        self.section = section
        directories = PluginDirectory.all(
            options: arguments.values("plugin-dir"),
            configured: configuration.pluginDirectories
        )
        for directory in directories {
            guard let problem = directory.problem else { continue }
            let place =
                directory.origin == .option
                ? ConfigurationPlace.commandLine("--plugin-dir \(directory.path)")
                : configuration.places.place(of: "pluginDirectories")
            throw .pluginDirectory(directory, reason: problem, at: place)
        }
        // Loading plugins costs time, and code runs that nobody asked for: without plugins to run, none is loaded.
        catalog = PluginCatalog()
        if !configuration.plugins.isEmpty || needsPlugins || arguments.isSet("list-plugins") {
            for directory in directories {
                catalog.search(directory.path)
            }
        }
    }

    /// The host's own part of the configuration.
    package var settings: JSONObject {
        configuration.settings[section.rawValue]?.object ?? JSONObject()
    }

    /// The plugins that were found.
    package var listing: PluginListing {
        PluginListing(catalog, directories)
    }

    /// What is wrong with plugin files that were found, one sentence each.
    package var warnings: [String] {
        catalog.rejections.map { "not used: \($0.reason)" }
    }

    /// Whether any of the configured instances is an enabled reporter: without one, nobody sees what trackers say.
    package var hasReporter: Bool {
        configuration.plugins.contains { $0.enabled && catalog.plugin(named: $0.pluginID)?.kind == .reporter }
    }

    /// Checks the configuration of each instance and starts the reporters.
    ///
    /// `extra` are instances of the host's own, behind those that are configured.
    package func telemetry(
        _ options: Telemetry.Options,
        adding extra: [PluginConfiguration] = []
    ) throws(HostError) -> Telemetry {
        var wrong: [ConfigurationError] = []
        let plugins = configuration.plugins + extra
        for plugin in plugins {
            wrong += try violations(in: plugin)
        }
        guard wrong.isEmpty else { throw .configuration(wrong) }
        let selections = plugins.map { plugin in
            PluginSelection(
                plugin.pluginID,
                name: plugin.name,
                enabled: plugin.enabled,
                configuration: plugin.config
            )
        }
        do throws(TelemetryError) {
            return try Telemetry(plugins: selections, catalog: catalog, options: options)
        } catch {
            throw located(error)
        }
    }

    /// The error with the place where the plugin instance that it concerns is configured.
    package func located(_ error: TelemetryError) -> HostError {
        let instance = configuration.plugins.first { $0.name == error.instance }
        return .telemetry(error, at: instance.map(place(of:)))
    }

    private func violations(in plugin: PluginConfiguration) throws(HostError) -> [ConfigurationError] {
        if let reason = catalog.reasonForMissing(plugin.pluginID) {
            throw .telemetry(TelemetryError(kind: .plugin, reason), at: place(of: plugin))
        }
        guard let found = catalog.plugin(named: plugin.pluginID) else { return [] }
        guard let text = found.configurationSchema else { return [] }
        do throws(ConfigSchemaCheck.SchemaError) {
            return configuration.violations(of: try ConfigSchemaCheck(text: text), in: plugin)
        } catch {
            throw .badSchema(plugin: found.id, path: found.path, error)
        }
    }

    private func place(of plugin: PluginConfiguration) -> ConfigurationPlace {
        configuration.places.place(of: "plugins." + plugin.name)
    }
}
