internal import PluginLoading

/// Decides what is done about a change in a plugin directory.
final class PluginDrops: Sendable {
    private let telemetry: Telemetry
    private let directories: [String]
    private let onDrop: PluginWatch.OnDrop
    private let selection: @Sendable (PluginStatus) -> PluginSelection?
    private let report: @Sendable (PluginWatch.Report) -> Void

    init(
        telemetry: Telemetry,
        directories: [String],
        onDrop: PluginWatch.OnDrop,
        selection: @escaping @Sendable (PluginStatus) -> PluginSelection?,
        report: @escaping @Sendable (PluginWatch.Report) -> Void
    ) {
        self.telemetry = telemetry
        self.directories = directories
        self.onDrop = onDrop
        self.selection = selection
        self.report = report
    }

    /// Whether a file was looked at before: it is in use, or there is a reason why not.
    func isKnown(_ path: String) -> Bool { telemetry.catalog.knows(path) }

    /// Does what a change calls for. [the watch's thread]
    func handle(_ change: FolderChange) {
        switch change {
        case .complete(let path, let folder): load(path, in: folder)
        case .changed(let path, let folder):
            // What a file was refused for may be mended now.
            if telemetry.catalog.rejections.contains(where: { $0.path == path }) {
                load(path, in: folder)
            }
        case .gone(let path):
            telemetry.catalog.forgetRejection(of: path)
            report(.removed(file: path))
        }
    }

    private func load(_ path: String, in folder: String) {
        do throws(ControlError) {
            let taken = try telemetry.receive(file: path, within: folder, cause: .file) {
                self.mayReplace($0, by: path)
            }
            switch taken {
            case .nothingNew: break
            case .replaced(let plugins):
                try configure(plugins)
                report(.replaced(file: path, plugins: plugins))
            case .loaded(let plugins):
                try configure(plugins)
                report(.loaded(file: path, plugins: plugins))
            }
        } catch {
            report(.refused(file: path, error))
        }
    }

    /// Makes an instance of each plugin that has none, when that is the choice.
    private func configure(_ plugins: [PluginStatus]) throws(ControlError) {
        guard onDrop == .enable else { return }
        for plugin in plugins where !telemetry.hasInstance(of: plugin.plugin) {
            guard let selection = selection(plugin) else { continue }
            try telemetry.load(selection, cause: .file)
        }
    }

    /// The same file, and one in a directory that counts before the other's.
    private func mayReplace(_ loaded: String, by path: String) -> Bool {
        if loaded == path { return true }
        guard let old = index(of: loaded), let new = index(of: path) else { return false }
        return new < old
    }

    private func index(of path: String) -> Int? {
        directories.firstIndex { path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
}
