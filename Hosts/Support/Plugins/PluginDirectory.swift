import Glibc
internal import System

/// A folder in which a host looks for plugins.
package struct PluginDirectory: Sendable, Equatable {
    /// Who says that plugins may be there, in the order in which the folders count.
    package enum Origin: String, Sendable, CaseIterable {
        /// `--plugin-dir`.
        case option = "--plugin-dir"
        /// The key `pluginDirectories` of the configuration.
        case configuration
        /// The variable `TALLY_PLUGIN_PATH`.
        case environment = "$TALLY_PLUGIN_PATH"
        /// The user's library folder.
        case user
        /// The library folder of the tree that the program was installed in.
        case installation = "of this program's installation"
        /// The system's library folders.
        case system
        /// The folder that the program or library itself lies in.
        case executable = "beside the program"
    }

    /// The folder.
    package let path: String
    /// Who names it.
    package let origin: Origin

    /// Whether each file in it is named after its plugin, as those that come with the program are.
    ///
    /// Such folders count after all others.
    package var isOrdered: Bool { [.installation, .system, .executable].contains(origin) }

    /// Names a folder.
    package init(_ path: String, _ origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// All folders in the order in which they count; a folder that is named twice counts where it is named first.
    ///
    /// - Parameters:
    ///   - options: what `--plugin-dir` says.
    ///   - configured: what the configuration says.
    ///   - environment: gives a variable's value.
    ///   - executable: the file of the program; nil when it cannot be told.
    /// - Returns: the folders, whether they exist or not.
    package static func all(
        options: [String],
        configured: [String],
        environment: (String) -> String? = { Terminal.environment($0) },
        executable: String? = PluginDirectory.executable
    ) -> [PluginDirectory] {
        var found = options.map { PluginDirectory($0, .option) }
        found += configured.map { PluginDirectory($0, .configuration) }
        // An empty part would be the present folder, from which nobody expects code to be loaded.
        found += (environment("TALLY_PLUGIN_PATH") ?? "").split(separator: ":").map {
            PluginDirectory(String($0), .environment)
        }
        if let home = environment("HOME"), home.hasPrefix("/") {
            found.append(PluginDirectory(PathName.joined(home, ".local/lib/tally/plugins"), .user))
        }
        let system = ["/usr/local/lib/tally/plugins", "/usr/lib/tally/plugins"]
        // A tree that lies elsewhere goes before the system's: its plugins are those that were made with the program.
        if let own = executable.flatMap(installed), !system.contains(PathName.resolved(own)) {
            found.append(PluginDirectory(own, .installation))
        }
        found += system.map { PluginDirectory($0, .system) }
        if let executable { found.append(PluginDirectory(PathName.folder(of: executable), .executable)) }
        var seen: Set<String> = []
        return found.filter { seen.insert(PathName.resolved($0.path)).inserted }
    }

    /// The plugins of the tree in which the program lies in `bin`, or the library in `lib` or a folder below that is
    /// named after the machine's kind; nil when it lies elsewhere.
    private static func installed(with executable: String) -> String? {
        let folder = PathName.folder(of: executable)
        if folder.hasSuffix("/bin") { return PathName.joined(PathName.folder(of: folder), "lib/tally/plugins") }
        let above = PathName.folder(of: folder)
        let library = folder.hasSuffix("/lib") ? folder : above.hasSuffix("/lib") ? above : nil
        return library.map { PathName.joined($0, "tally/plugins") }
    }

    /// The file of this program.
    package static var executable: String? {
        let path = PathName.resolved("/proc/self/exe")
        return path == "/proc/self/exe" ? nil : path
    }

    /// Why a folder that somebody named cannot be searched; nil when it can, or when it need not exist.
    package var problem: String? {
        guard origin == .option || origin == .configuration else { return nil }
        guard let stream = unsafe opendir(path) else { return SystemError.text(errno) }
        unsafe closedir(stream)
        return nil
    }
}
