package import Tally
package import TextEncoding

/// What a host's command line and configuration come to: which plugins there are, which run, and with what.
package struct HostSetup: Sendable {
    /// The configuration with the changes of the command line.
    package let configuration: HostConfiguration
    /// Where plugins are looked for.
    package let directories: [PluginDirectory]

    let section: HostSection
    /// The host's own settings.
    let own: [SettingDeclaration]
    let catalog: PluginCatalog
    private let arguments: CommandLineArguments
    /// The program's file, or that of the library that stands for it.
    private let executable: String?
    /// The content of shared files by their paths; a file is read once, when the host starts.
    let sharedFiles: [String: JSONValue]
    /// Those of them that are others now than when the host started.
    let changedFiles: [String]

    /// Reads the configuration, and loads the plugins that are found.
    ///
    /// - Parameters:
    ///   - arguments: of a command line with ``HostSettings/options``.
    ///   - section: the host's own part of the configuration.
    ///   - settings: the host's own settings, of which those with a key in that part count.
    ///   - searches: whether plugins are looked for even when none is configured.
    ///   - admission: what plugin files have to pass.
    ///   - executable: the program's file, or that of the library that stands for it; plugins are looked for near it.
    ///   - sharingLibraries: whether plugin files are loaded once for all setups of the process.
    /// - Throws: what is wrong with the configuration, or with a folder that was named for plugins.
    package init(
        _ arguments: CommandLineArguments,
        section: HostSection,
        settings: [any DeclaredSetting] = [],
        searches: Bool = false,
        admission: PluginAdmission = PluginAdmission(),
        executable: String? = PluginDirectory.executable,
        sharingLibraries: Bool = false
    ) throws(HostError) {
        let own = settings.map(\.declaration).filter { $0.key?.hasPrefix(section.rawValue + ".") == true }
        let catalog = PluginCatalog(admission: admission, sharingLibraries: sharingLibraries)
        try self.init(arguments, section, own, catalog, [:], executable, isSearched: false, searches)
    }

    /// Reads the configuration again, with the same command line and the plugins that are loaded, and checks all of it.
    package func readAgain() throws(HostError) -> HostSetup {
        let next = try HostSetup(
            arguments,
            section,
            own,
            catalog,
            sharedFiles,
            executable,
            isSearched: isSearched,
            isSearched
        )
        try next.check(next.configuration.plugins)
        return next
    }

    /// Whether the plugin directories were searched.
    private let isSearched: Bool

    private init(
        _ arguments: CommandLineArguments,
        _ section: HostSection,
        _ own: [SettingDeclaration],
        _ catalog: PluginCatalog,
        _ readFiles: [String: JSONValue],
        _ executable: String?,
        isSearched: Bool,
        _ searches: Bool
    ) throws(HostError) {
        let file = ConfigurationFile(own, leavingAlone: HostSection.allCases.map(\.rawValue))
        configuration = try HostError.configuring { () throws(ConfigurationError) in
            try file.load(
                path: arguments[HostSettings.config],
                chosenPlugins: arguments[HostSettings.plugins],
                overrides: arguments[HostSettings.set]
            )
        }
        try Self.check(own, in: configuration)
        self.arguments = arguments
        self.section = section
        self.own = own
        self.catalog = catalog
        self.executable = executable
        directories = PluginDirectory.all(
            options: arguments[HostSettings.pluginFolders],
            configured: configuration[HostSettings.pluginDirectories],
            executable: executable
        )
        for directory in directories {
            guard let problem = directory.problem else { continue }
            let place =
                directory.origin == .option
                ? ConfigurationPlace.commandLine("--plugin-dir \(directory.path)")
                : configuration.places.place(of: "pluginDirectories")
            throw .pluginDirectory(directory, reason: problem, at: place)
        }
        // Loading plugins costs time and memory, and code runs that nobody asked for: without plugins to run, none is
        // loaded, and of those that came with the program only what is to run.
        let isWanted = searches || !configuration.plugins.isEmpty
        if isWanted, !isSearched {
            for directory in directories { catalog.search(directory.path, late: !searches && directory.isOrdered) }
        }
        self.isSearched = isSearched || isWanted
        let root = arguments[HostSettings.config].map(PathName.folder(of:)) ?? ""
        sharedFiles = try SharedFiles.read(for: configuration, catalog, root: root, known: readFiles)
        changedFiles = SharedFiles.changed(root: root, known: readFiles)
    }

    /// Makes sure that texts of the host's own keys have the form that their options ask for.
    private static func check(_ own: [SettingDeclaration], in configuration: HostConfiguration) throws(HostError) {
        for setting in own {
            guard let key = setting.key, let value = JSONValue.object(configuration.value).value(at: key) else {
                continue
            }
            for (index, part) in (value.array ?? [value]).enumerated() {
                guard let text = part.string else { continue }
                do throws(UnfitValue) {
                    _ = try setting.check(text)
                } catch {
                    let path = value.array == nil ? key : "\(key).\(index)"
                    let place = configuration.places.place(of: path)
                    throw .configuration([.unusable(place, key: path, problem: "expected \(error.expected)")])
                }
            }
        }
    }

    /// Whether the configuration comes from a file, which can be read again.
    package var hasFile: Bool { arguments.isGiven(HostSettings.config) }

    /// The host's own part of the configuration.
    package var settings: JSONObject { configuration.section(section) }

    /// The plugins that were found.
    package var listing: PluginListing { PluginListing(catalog, directories) }

    /// What is wrong with plugin files that were found, one sentence each.
    ///
    /// What an instance lacks is told when it is left out.
    package var warnings: [String] {
        let absent = configuration.plugins.filter { !isRequired($0) }
        let told = Set(absent.compactMap { catalog.absence(of: $0.pluginID)?.file })
        return catalog.openedRejections.filter { !told.contains($0.path) }.map { "not used: \($0.reason)" }
    }

    /// Whether any of the configured instances is an enabled reporter: without one, nobody sees what trackers say.
    package var hasReporter: Bool {
        configuration.plugins.contains { $0.enabled && catalog.plugin(named: $0.pluginID)?.kind == .reporter }
    }

    /// Why nobody learns what happens, when this is so: what trackers say goes nowhere, and nothing is recorded.
    package func silence(archive: String?) -> String? {
        if configuration.plugins.isEmpty {
            return archive == nil ? "nothing is reported: there are no plugins and no archive" : nil
        }
        return hasReporter ? nil : Self.noReporter
    }

    /// What is told where trackers run and no reporter does.
    package static let noReporter =
        "no reporter is among the plugins: what the trackers say is counted and goes nowhere"

    /// Whether any of the configured instances is an enabled tracker.
    package var hasTracker: Bool {
        configuration.plugins.contains { $0.enabled && catalog.plugin(named: $0.pluginID)?.kind == .tracker }
    }

    /// The reporter that has a key in the schema of its configuration, among the instances that are configured or else
    /// the plugins that were found; nil when there is none or more than one.
    ///
    /// Of a key that names a SQLite database the schema says which `application_id` its file has: where several have
    /// the key, a file's own `identity` chooses, and what is none of theirs is any one's to refuse.
    package func reporter(configuredBy key: String, identity: Int64) -> String? {
        let places = catalog.plugins.compactMap { plugin -> (plugin: PluginDescription, identity: Int64?)? in
            let schema = plugin.configurationSchema.flatMap { try? JSONParser().parse($0) }
            guard plugin.kind == .reporter, let property = schema?["properties"]?[key] else { return nil }
            return (plugin, property["x-application-id"]?.int)
        }
        let owners = places.filter { $0.identity == identity }
        let found = (owners.isEmpty ? places : owners).map(\.plugin)
        let ids = Set(found.map(\.id))
        let configured = configuration.plugins.filter { plugin in
            catalog.plugin(named: plugin.pluginID).map { ids.contains($0.id) } == true
        }
        let names = configured.isEmpty ? found.map(\.shortName) : configured.map(\.name)
        return names.count == 1 || owners.isEmpty ? names.first : nil
    }

    /// Checks the configuration of each instance and starts the reporters.
    ///
    /// Outputs also go to `tap`. `extra` are reporters of the host's own, behind the instances that are configured.
    /// Trackers are left out, whatever their configuration, when others take their place.
    package func telemetry(
        _ options: Telemetry.Options,
        tap: OutputTap? = nil,
        adding extra: [PluginConfiguration] = [],
        withoutTrackers: Bool = false
    ) throws(HostError) -> Telemetry {
        let chosen = configuration.plugins.filter {
            !withoutTrackers || catalog.plugin(named: $0.pluginID)?.kind != .tracker
        }
        return try telemetry(options, chosen, adding: extra) { policy in
            tap.map { [Self.filtered($0, as: OutputTap.reporterName, policy)] } ?? []
        }
    }

    /// The same with the trackers alone, if with any, whose outputs go to a consumer of the host's.
    ///
    /// Rules of delivery call it `name`.
    package func telemetry(
        _ options: Telemetry.Options,
        trackersTo consumer: some OutputConsumer & Sendable,
        as name: String,
        withoutTrackers: Bool = false
    ) throws(HostError) -> Telemetry {
        let chosen =
            withoutTrackers
            ? [] : configuration.plugins.filter { catalog.plugin(named: $0.pluginID)?.kind != .reporter }
        return try telemetry(options, chosen, adding: []) { [Self.filtered(consumer, as: name, $0)] }
    }

    /// A consumer behind the rules of delivery for its name.
    private static func filtered(
        _ consumer: some OutputConsumer & Sendable,
        as name: String,
        _ policy: DeliveryPolicy
    ) -> any OutputConsumer & Sendable {
        policy.filter(for: name).map { FilteredConsumer(consumer, $0) } ?? consumer
    }

    private func telemetry(
        _ options: Telemetry.Options,
        _ chosen: [PluginConfiguration],
        adding extra: [PluginConfiguration],
        consumers: (DeliveryPolicy) -> [any OutputConsumer & Sendable]
    ) throws(HostError) -> Telemetry {
        try check(chosen + extra)
        var options = options
        options.fixed = options.fixed || configuration.isFixed
        options.keptBytes = configuration[HostSettings.keptMebibytes] << 20
        options.longestSilence = Int64(configuration[HostSettings.longestSilence]) * 1_000_000
        options.delivery = try delivery()
        options.answerLimit = Int64(configuration[HostSettings.answerLimit] * 1000)
        options.callLimit = configuration[HostSettings.callLimit].map { Int64($0 * 1000) }
        options.callBudget = Int64(configuration[HostSettings.callBudget] * 1000)
        options.isolatesTrackers = options.isolatesTrackers || configuration[HostSettings.isolate]
        options.trackerMemoryBytes = configuration[HostSettings.trackerMemory] << 20
        options.trackerHold = Int64(configuration[HostSettings.trackerHold])
        options.callsOverBudget = UInt64(configuration[HostSettings.callsOverBudget])
        let own = extra.map { PluginSelection($0.pluginID, name: $0.name, configuration: $0.config) }
        do throws(TelemetryError) {
            return try Telemetry(
                plugins: chosen.map(selection) + own,
                catalog: catalog,
                options: options,
                extraConsumers: consumers(options.delivery)
            )
        } catch {
            throw located(error)
        }
    }

    /// Checks all that a start checks before it makes a plugin: nothing runs, and nothing is written.
    package func check() throws(HostError) { try check(configuration.plugins) }

    /// Checks that plugins are there and their configurations fit their schemas.
    func check(_ plugins: [PluginConfiguration]) throws(HostError) {
        var wrong: [ConfigurationError] = []
        for plugin in plugins where isRequired(plugin) || catalog.plugin(named: plugin.pluginID) != nil {
            wrong += try violations(in: plugin)
            if plugin.isolation == .process, catalog.plugin(named: plugin.pluginID)?.machineUse.sharesState == true {
                let problem = "the plugin says that its instances share state and need one process: remove the key"
                wrong.append(unusableIsolation(of: plugin, problem))
            }
        }
        do throws(ConfigurationError) {
            _ = try DeliverySettings(configuration).policy()
        } catch {
            wrong.append(error)
        }
        guard wrong.isEmpty else { throw .configuration(wrong) }
    }

    /// Checks that a plugin is there which an option names.
    package func check(plugin: String, of option: String) throws(HostError) {
        guard let reason = catalog.reasonForMissing(plugin) else { return }
        throw .telemetry(TelemetryError(kind: .plugin, reason), at: .commandLine(option))
    }

    /// What lies between trackers and reporters.
    private func delivery() throws(HostError) -> DeliveryPolicy {
        let settings = DeliverySettings(configuration)
        return try HostError.configuring { () throws(ConfigurationError) in
            var policy = try settings.policy()
            policy.key = try settings.key()
            return policy
        }
    }

    /// The configured instances as the core takes them, with the shared blocks that their plugins ask for.
    package var selections: [PluginSelection] { configuration.plugins.map(selection) }

    private func selection(of plugin: PluginConfiguration) -> PluginSelection {
        PluginSelection(
            plugin.pluginID,
            name: plugin.name,
            enabled: plugin.enabled,
            required: isRequired(plugin),
            isolation: plugin.isolation,
            configuration: withSharedBlocks(plugin.config, for: plugin.pluginID)
        )
    }

    /// Those of them that are reporters: a tracker's configuration may say how the media is called, and writes nothing.
    package var reporterSelections: [PluginSelection] {
        selections.filter { catalog.plugin(named: $0.plugin)?.kind == .reporter }
    }

    /// An instance of a plugin that nobody has configured.
    package func selection(of plugin: PluginStatus) -> PluginSelection {
        PluginSelection(plugin.plugin, name: plugin.name, configuration: withSharedBlocks([:], for: plugin.plugin))
    }

    /// A plugin's configuration with the shared blocks and files that it asks for and does not have itself.
    func withSharedBlocks(_ config: JSONValue, for plugin: String) -> JSONValue {
        guard var members = config.object, let found = catalog.plugin(named: plugin) else { return config }
        for name in found.sharedConfiguration {
            let member = SharedFile.member(of: name)
            members[member] = members[member] ?? sharedFiles[name] ?? configuration.shared[name]
        }
        return .object(members)
    }

    /// The error with the place where the plugin instance that it concerns is configured.
    package func located(_ error: TelemetryError) -> HostError {
        let instance = configuration.plugins.first { $0.name == error.instance }
        let part = error.kind == .configuration ? ".config" : ""
        let place = instance.map { instance in
            let path = "plugins.\(instance.name)\(part)"
            let option = configuration.places.option(below: path, namedIn: error.reason)
            return option ?? configuration.places.place(of: path)
        }
        return .telemetry(error, at: place)
    }

    /// What a plugin's schema finds wrong with an instance's configuration.
    ///
    /// - Throws: why there is no such plugin, or what is wrong with its schema.
    func violations(in plugin: PluginConfiguration) throws(HostError) -> [ConfigurationError] {
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

    func place(of plugin: PluginConfiguration) -> ConfigurationPlace {
        configuration.places.place(of: "plugins." + plugin.name)
    }
}
