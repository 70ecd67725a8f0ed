internal import Coordinator
internal import PluginABI
internal import PluginLoading
internal import System

/// Finds the plugins that an archive names among those that are loaded.
///
/// Thread-safe.
final class RecordedPlugins: Sendable {
    /// How many names a sentence has.
    private static let shown = 20

    private let catalog: PluginCatalog
    private let substitutes: [String: String]
    private let log: PluginLog
    private let archive: String?
    private let state = Lock(State())

    private struct State {
        /// What was warned about.
        var noted: Set<String> = []
        /// Instances and ids that archives have.
        var recorded: Set<String> = []
    }

    /// `substitutes` names plugins to use instead, by recorded instance name or plugin id.
    ///
    /// With an `archive`, a file that went on in it may stand for those before it.
    init(catalog: PluginCatalog, substitutes: [String: String], log: PluginLog, archive: String? = nil) {
        self.catalog = catalog
        self.substitutes = substitutes
        self.log = log
        self.archive = archive
    }

    /// A substitute, or the plugin with the recorded hash, or one of the same version, which is noted.
    func find(_ plugin: RecordedPlugin) throws(PluginError) -> PluginCatalog.Entry {
        if !substitutes.isEmpty { state.with { $0.recorded.formUnion([plugin.instance, plugin.id]) } }
        if let name = substitutes[plugin.instance] ?? substitutes[plugin.id] {
            let entry = try catalog.find(name)
            warn(
                plugin,
                "\(entry.description.id) \(entry.description.version) stands for \(plugin.id) \(plugin.version)"
            )
            return entry
        }
        if let entry = catalog.find(sha256: plugin.sha256, id: plugin.id) { return entry }
        let others = catalog.loaded.filter { $0.description.id == plugin.id }
        guard let entry = others.first(where: { $0.description.version == plugin.version }) else {
            throw .notRecorded(
                instance: plugin.instance,
                id: plugin.id,
                version: plugin.version,
                sha256: plugin.sha256,
                found: others.map { "\($0.description.version) in \($0.library.path)" }
            )
        }
        if !plugin.sha256.isEmpty, !isSuccessor(entry, of: plugin) {
            warn(plugin, "\(entry.library.path) has the recorded version \(plugin.version), but is another file")
        }
        return entry
    }

    /// What is wrong with the names that substitutes stand for, one sentence each: no archive so far has them.
    var unknownSubstitutes: [String] {
        let recorded = state.with { $0.recorded }
        // Of runs that were not replayed nothing is known.
        guard !recorded.isEmpty else { return [] }
        let known = recorded.sorted().prefix(Self.shown).joined(separator: ", ")
        return substitutes.keys.filter { !recorded.contains($0) }.sorted().map { name in
            "no recorded plugin has the instance name or id \(name); recorded are \(known)"
        }
    }

    private func isSuccessor(_ entry: PluginCatalog.Entry, of plugin: RecordedPlugin) -> Bool {
        guard let archive else { return false }
        return SuccessorFiles(archive: archive).has(entry.description.sha256, after: plugin.sha256)
    }

    private func warn(_ plugin: RecordedPlugin, _ text: String) {
        let isNew = state.with { $0.noted.insert("\(plugin.instance) \(plugin.sha256) \(plugin.version)").inserted }
        if isNew {
            log.write(plugin.instance, TALLY_LOG_WARN, "\(text): its output may differ from the recorded run's")
        }
    }
}
