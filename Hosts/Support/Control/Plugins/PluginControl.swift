package import Tally
internal import TextEncoding

/// Carries out what is asked of the plugins of a player run or a replay.
///
/// Not to be used on a thread of a plugin or of the player: each order may wait for a plugin.
package struct PluginControl: Sendable {
    let run: any ControlledPlayback
    let telemetry: Telemetry
    private let setup: @Sendable () -> HostSetup

    /// Works on a run or a replay; `setup` gives the configuration of the moment.
    package init(run: any ControlledPlayback, telemetry: Telemetry, setup: @escaping @Sendable () -> HostSetup) {
        self.run = run
        self.telemetry = telemetry
        self.setup = setup
    }

    /// Carries an order out.
    package func perform(_ order: PluginOrder, cause: ControlCause = .operator) -> ControlReply {
        do throws(ControlError) {
            return try performing(order, cause)
        } catch {
            return .failure(error)
        }
    }

    private func performing(_ order: PluginOrder, _ cause: ControlCause) throws(ControlError) -> ControlReply {
        switch order {
        case .list: return .success(["plugins": .array(run.plugins().map(\.json))])
        case .show(let name): return .success(["plugin": PluginDetails.json(try status(name), setup().catalog)])
        case .stats(let name):
            let plugins = try name.map { name throws(ControlError) in [try status(name)] } ?? working
            return .success(["plugins": .array(plugins.map(\.counts))])
        case .enable(let name): return try enable(name, cause)
        case .disable(let name): return try disable(name, cause)
        case .loadFile(let file):
            let plugins = try telemetry.load(file: file)
            guard !plugins.isEmpty else { return .done("the very same file is loaded already", changed: false) }
            return changed("loaded \(names(plugins)); plugin enable NAME puts one to work", plugins)
        case .load(let plugin, let name, let configuration):
            let complete = try complete(configuration, of: plugin, name: name)
            try telemetry.load(PluginSelection(plugin, name: name, configuration: complete), cause: cause)
            return .done("\(name) is enabled")
        case .replace(let file):
            let plugins = try telemetry.replace(file: file, cause: cause)
            guard !plugins.isEmpty else { return .done("the very same file is loaded already", changed: false) }
            return changed("replaced \(names(plugins))" + waiting(of: plugins), plugins)
        case .release(let hash):
            let released = try telemetry.release(sha256: hash)
            let isLoaded = run.plugins().contains { $0.sha256 == released.sha256 && $0.state != .quarantined }
            return .released(released, orLoadedBy: isLoaded ? nil : "plugin load FILE")
        case .configure(let name, let configuration):
            let complete = try complete(configuration, of: try status(name).plugin, name: name)
            try run.configure(plugin: name, complete, cause: cause)
            return .done("\(name) has its new configuration")
        case .command(let name, let command, let arguments):
            let answer = try run.command(plugin: name, command, arguments, cause: cause, limit: nil)
            return .success(["answer": answer])
        }
    }

    // MARK: - Parts

    private func enable(_ name: String, _ cause: ControlCause) throws(ControlError) -> ControlReply {
        switch run.enable(plugin: name, cause: cause) {
        case .alreadyEnabled: return .done("\(name) is enabled already", changed: false)
        case .alreadyDisabled, .requested: return try confirmed(name, isEnabled: true)
        case .refused(let reason): throw ControlError(kind: .refused, reason)
        case .unknown:
            let plugin = try status(name)
            guard plugin.state == .loaded else {
                throw ControlError(kind: .unknownPlugin, "\(name) is \(plugin.state.rawValue): \(plugin.reason)")
            }
            let selection = setup().selection(of: plugin)
            try telemetry.load(selection, cause: cause)
            return .done("\(plugin.name) is enabled")
        }
    }

    private func disable(_ name: String, _ cause: ControlCause) throws(ControlError) -> ControlReply {
        switch run.disable(plugin: name, cause: cause) {
        case .alreadyDisabled: return .done("\(name) is disabled already", changed: false)
        case .alreadyEnabled, .requested: return try confirmed(name, isEnabled: false)
        case .refused(let reason): throw ControlError(kind: .refused, reason)
        case .unknown:
            let plugin = try status(name)
            return .done("\(name) is \(plugin.state.rawValue): there is nothing to disable", changed: false)
        }
    }

    /// A tracker takes a change at the next event: whether it did is known behind that, and from itself alone.
    private func confirmed(_ name: String, isEnabled: Bool) throws(ControlError) -> ControlReply {
        guard let now = try run.confirmedStatus(of: name) else {
            throw ControlError(kind: .unknownPlugin, "\(name) is gone: another change has taken it out meanwhile")
        }
        let isSo = isEnabled ? now.state == .enabled : now.state == .disabled || now.state == .failed
        guard isSo else {
            let reason = now.reason.isEmpty ? "the change was not made" : now.reason
            throw ControlError(kind: .refused, "\(name) is \(now.state.rawValue): \(reason)")
        }
        return .done("\(name) is \(now.state.rawValue)")
    }

    /// The instances.
    private var working: [PluginStatus] { run.plugins().filter { $0.tracker != nil || $0.reporter != nil } }

    private func status(_ name: String) throws(ControlError) -> PluginStatus {
        let all = run.plugins()
        if let found = all.first(where: { $0.name == name }) ?? all.first(where: { $0.plugin == name }) { return found }
        throw ControlError(noPlugin: name, among: all)
    }

    /// The configuration with what the host puts in, which is not the schema's to judge.
    private func complete(
        _ configuration: JSONValue,
        of plugin: String,
        name: String
    ) throws(ControlError) -> JSONValue {
        let setup = setup()
        if let found = setup.catalog.plugin(named: plugin), let text = found.configurationSchema,
            let schema = try? ConfigSchemaCheck(text: text)
        {
            var members = configuration.object ?? JSONObject()
            for name in found.sharedConfiguration { members[SharedFile.member(of: name)] = nil }
            let problems = schema.violations(in: .object(members), path: name).map(\.message)
            guard problems.isEmpty else {
                throw ControlError(kind: .invalidConfiguration, problems.joined(separator: "; "))
            }
        }
        return setup.withSharedBlocks(configuration, for: plugin)
    }

    /// What is to be known of instances of these plugins that are not at work: "; a: it waits".
    private func waiting(of plugins: [PluginStatus]) -> String {
        let instances = working.filter { instance in plugins.contains { $0.plugin == instance.plugin } }
        let waiting = instances.filter { $0.state == .disabled && !$0.reason.isEmpty }
        return waiting.map { "; \($0.name): \($0.reason)" }.joined()
    }

    private func names(_ plugins: [PluginStatus]) -> String {
        plugins.map(\.name).joined(separator: ", ")
    }

    private func changed(_ note: String, _ plugins: [PluginStatus]) -> ControlReply {
        .success(["changed": true, "note": .string(note), "plugins": .array(plugins.map(\.json))])
    }
}

extension ControlReply {
    /// A file was taken out of the quarantine; `command` loads it at once.
    static func released(_ file: PluginQuarantine.Entry, orLoadedBy command: String? = nil) -> ControlReply {
        .done("released \(file.name): the next start loads it" + (command.map { ", and \($0) does so now" } ?? ""))
    }
}

extension ControlError {
    /// No plugin has the name; the nearest one is named, or all that there are.
    init(noPlugin name: String, among plugins: [PluginStatus]) {
        // A file that another one shadows has the same name again.
        var names: [String] = []
        for plugin in plugins where !names.contains(plugin.name) { names.append(plugin.name) }
        let nearest = NearestName.among(names, to: name).map { "; did you mean \($0)?" }
        let known = names.isEmpty ? "; there are none" : "; there are " + names.joined(separator: ", ")
        self.init(kind: .unknownPlugin, "no plugin has the name \"\(name)\"" + (nearest ?? known))
    }
}

/// All that is known of one plugin.
enum PluginDetails {
    /// Its status, its names for people, and the form of its configuration.
    static func json(_ status: PluginStatus, _ catalog: PluginCatalog) -> JSONValue {
        var status = status
        // Of a plugin that is not at work its file says what it offers.
        if status.tracker == nil, status.reporter == nil, [.loaded, .enabled, .disabled].contains(status.state) {
            status.commands = (try? catalog.find(status.plugin).commands) ?? []
        }
        guard var members = status.json.object, let found = catalog.plugin(named: status.plugin), status.plugin != ""
        else { return status.json }
        members["title"] = .string(found.name)
        members["vendor"] = .string(found.vendor)
        members["shared"] = .array(found.sharedConfiguration.map { .string($0) })
        if let text = found.configurationSchema, let schema = try? JSONParser().parse(text) {
            members["schema"] = schema
        }
        return .object(members)
    }
}
