internal import Tally
internal import TextEncoding

/// Finds set-ups that are legal and cannot do what they are for.
struct SetupWarnings {
    let setup: HostSetup
    let options: [EffectiveSetting]
    let canEnable: Bool

    /// One sentence for each.
    var texts: [String] { plugins + needs + neverEnabled + sameFiles + isolation + sharedBlocks + delivery }

    private var archive: String? {
        options.first { $0.key == "archive" }?.value.string ?? setup.configuration[HostSettings.archive]
    }

    private var store: String? {
        options.first { $0.key == "store" }?.value.string ?? setup.configuration[HostSettings.store]
    }

    private func kind(_ plugin: PluginConfiguration) -> PluginKind? {
        setup.catalog.plugin(named: plugin.pluginID)?.kind
    }

    private var plugins: [String] {
        let configured = setup.configuration.plugins
        if configured.isEmpty {
            guard setup.section == .player, let silence = setup.silence(archive: archive) else { return [] }
            return ["\(silence); choose some with --plugins"]
        }
        var texts: [String] = []
        for plugin in configured {
            do throws(HostError) {
                texts += try setup.violations(in: plugin).map(\.message)
            } catch {
                texts += error.messages
            }
        }
        let trackers = configured.filter { kind($0) == .tracker }
        let reporters = configured.filter { kind($0) == .reporter }
        if !trackers.isEmpty, reporters.isEmpty {
            texts.append(HostSetup.noReporter)
        } else if !trackers.isEmpty, !reporters.contains(where: takesOutput) {
            texts.append("no enabled reporter takes records or beacons: what the trackers say goes nowhere")
        }
        if trackers.isEmpty, !reporters.isEmpty, !reporters.contains(where: { $0.config["events"]?.bool == true }) {
            texts.append("no tracker is among the plugins: the reporters get no records and no beacons")
        }
        return texts
    }

    /// A reporter that is configured to leave both out takes nothing that trackers say.
    private func takesOutput(_ reporter: PluginConfiguration) -> Bool {
        reporter.enabled
            && (reporter.config["records"]?.bool ?? true || reporter.config["beacons"]?.bool ?? true)
    }

    /// What plugins want to find beside them, or before them.
    private var needs: [String] {
        PluginNeeds.unmet(setup.selections, setup.catalog).compactMap { unmet in
            let instance = setup.configuration.plugins.first { $0.name == unmet.instance }
            return instance.map { "\(setup.place(of: $0)): \(unmet.text)" }
        }
    }

    private var neverEnabled: [String] {
        guard !canEnable else { return [] }
        return setup.configuration.plugins.filter { !$0.enabled }.map { plugin in
            "\(setup.place(of: plugin)): \(plugin.name) is disabled, and nothing here can enable it"
        }
    }

    /// Files that two would write to.
    private var sameFiles: [String] {
        var users: [(path: String, user: String)] = []
        for plugin in setup.configuration.plugins where plugin.enabled && kind(plugin) == .reporter {
            guard let path = plugin.config["path"]?.string, path != "-", !path.hasPrefix("/dev/") else { continue }
            users.append((path, "plugins.\(plugin.name).config.path"))
        }
        if setup.section == .player {
            if let archive { users.append((archive, "archive")) }
            if let store { users.append((store, "store")) }
        }
        var texts: [String] = []
        for (index, user) in users.enumerated() {
            let path = PathName.resolvedFolder(user.path)
            guard let first = users[..<index].first(where: { PathName.resolvedFolder($0.path) == path }) else {
                continue
            }
            texts.append("\(first.user) and \(user.user) write to the same file \(user.path)")
        }
        return texts
    }

    /// Processes of reporters that may write where the player's own files are, or others'.
    private var isolation: [String] {
        guard setup.section == .player else { return [] }
        var texts: [String] = []
        let kept = [(archive, "the archive"), (store, "the file of persistent values")]
        do throws(HostError) {
            try setup.checkIsolation(from: kept.compactMap { path, what in path.map { ($0, what) } })
        } catch {
            texts = error.messages
        }
        let writing = setup.configuration.plugins.filter(\.enabled).flatMap { plugin in
            (setup.allowance(of: plugin)?.writable ?? []).map { (name: plugin.name, folder: $0) }
        }
        for (index, one) in writing.enumerated() {
            for other in writing[..<index] where other.folder == one.folder && other.name != one.name {
                let processes = "the processes of plugins.\(other.name) and plugins.\(one.name)"
                texts.append("\(processes) may write in all of \(one.folder): give each a folder of its own")
            }
        }
        return texts
    }

    /// Rules for reporters that there are not, and settings that cannot be used.
    private var delivery: [String] {
        let settings = setup.configuration.delivery
        var texts: [String] = []
        do throws(ConfigurationError) {
            _ = try DeliverySettings(setup.configuration).policy()
        } catch {
            texts.append(error.message)
        }
        let names =
            setup.configuration.plugins.filter { kind($0) == .reporter }.map(\.name) + [OutputTap.reporterName]
        for key in ["routes", "privacy"] {
            for (index, rule) in (settings[key]?.array ?? []).enumerated() {
                guard let pattern = rule["reporter"]?.string, !names.contains(where: Glob(pattern).matches) else {
                    continue
                }
                let place = setup.configuration.places.place(of: "delivery.\(key).\(index)")
                texts.append("\(place): delivery.\(key).\(index) is for the reporter \(pattern), and none is called so")
            }
        }
        return texts
    }

    private var sharedBlocks: [String] {
        let read = setup.configuration.plugins.flatMap { plugin in
            setup.catalog.plugin(named: plugin.pluginID)?.sharedConfiguration ?? []
        }
        return setup.configuration.shared.keys.filter { !read.contains($0) }.map { block in
            let place = setup.configuration.places.place(of: "shared." + block)
            return "\(place): shared.\(block) is read by none of the configured plugins"
        }
    }
}
