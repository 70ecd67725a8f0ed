internal import PluginLoading

/// Takes plugin files that come into the plugin directories while a process runs.
///
/// A file counts when it is closed after writing, renamed into place or linked. One that is new is loaded and, by
/// choice, configured at once; one that is newer than a loaded plugin's takes its place. A file that is removed stays
/// loaded. It works on a thread of its own, on which files are checked and tried; the player goes on meanwhile.
public final class PluginWatch: Sendable {
    /// What becomes of a new file's plugins.
    public enum OnDrop: String, Sendable {
        /// An instance of each is configured and enabled.
        case enable
        /// They are loaded and wait for a command.
        case load
    }

    /// What has become of a file.
    public enum Report: Sendable {
        /// Its plugins are loaded, and with ``OnDrop/enable`` configured.
        case loaded(file: String, plugins: [PluginStatus])
        /// It has taken the place of the file before.
        case replaced(file: String, plugins: [PluginStatus])
        /// It is not used; what was in use goes on.
        case refused(file: String, ControlError)
        /// It was removed; what was loaded from it goes on.
        case removed(file: String)
    }

    private let watch: FolderWatch?

    /// Begins to watch the directories, in the order in which they count.
    ///
    /// With ``Telemetry/Options/fixed`` nothing is watched. `selection` says how a new plugin is configured; without it
    /// an instance has the plugin's short name and an empty configuration. `report` is called on the watch's thread.
    public init(
        telemetry: Telemetry,
        directories: [String],
        onDrop: OnDrop = .load,
        selection: @escaping @Sendable (PluginStatus) -> PluginSelection? = {
            PluginSelection($0.plugin, name: $0.name)
        },
        report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        guard !telemetry.options.fixed else {
            watch = nil
            return
        }
        let drops = PluginDrops(
            telemetry: telemetry,
            directories: directories,
            onDrop: onDrop,
            selection: selection,
            report: report
        )
        watch = FolderWatch(folders: directories, known: { drops.isKnown($0) }, report: { drops.handle($0) })
        if watch == nil {
            telemetry.log.write("", 2, "plugin directories are not watched: the system has no more watches to give")
        }
    }

    deinit {
        close()
    }

    /// Whether anything is watched.
    public var isWatching: Bool { watch != nil }

    /// Ends the watch; a file that is being taken is taken first.
    public func close() { watch?.close() }
}
