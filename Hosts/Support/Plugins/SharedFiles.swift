internal import Tally
internal import TextEncoding

/// The files that configured plugins get as parts of their configurations.
enum SharedFiles {
    /// Reads each file that a plugin of the configuration declares, unless it is known already; by path.
    ///
    /// - Parameters:
    ///   - configuration: whose plugins are looked at.
    ///   - catalog: what the plugins declare.
    ///   - root: the folder of the configuration file.
    ///   - known: what was read before.
    /// - Returns: what was read now and before.
    /// - Throws: what is wrong with a file, or that a configuration has a member of the file's name already.
    static func read(
        for configuration: HostConfiguration,
        _ catalog: PluginCatalog,
        root: String,
        known: [String: JSONValue]
    ) throws(HostError) -> [String: JSONValue] {
        var contents = known
        for plugin in configuration.plugins {
            for path in catalog.plugin(named: plugin.pluginID)?.sharedConfiguration ?? []
            where SharedFile.isPath(path) {
                let file = SharedFile(path, root: root)
                try HostError.configuring { () throws(ConfigurationError) in
                    let place = configuration.places.place(of: "plugins.\(plugin.name).config.\(file.key)")
                    guard plugin.config[file.key] == nil else {
                        throw .sharedKey(place, key: file.key, path: path)
                    }
                    if contents[path] == nil { contents[path] = try file.content(for: place) }
                }
            }
        }
        return contents
    }

    /// The files that are not what was read of them when the host started, by path.
    ///
    /// What was read stays: a vendor's settings are constant until a restart.
    static func changed(root: String, known: [String: JSONValue]) -> [String] {
        known.keys.sorted().filter { path in
            let now = try? SharedFile(path, root: root).content(for: nil)
            return now != known[path]
        }
    }
}
