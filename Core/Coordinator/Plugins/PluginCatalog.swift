internal import Glibc

/// The plugins that were found, by id; the first file that has an id wins.
package final class PluginCatalog: @unchecked Sendable {
    /// A plugin and the library that makes its instances.
    package struct Entry: Sendable {
        /// What the plugin says of itself.
        package let description: PluginDescription
        /// Its library.
        package let library: PluginLibrary
    }

    private let contents = Lock(Contents())

    private struct Contents {
        var entries: [String: Entry] = [:]
        var order: [String] = []
        var searched: [String] = []
        var rejected: [PluginError] = []
    }

    package init() {}

    /// The plugins in the order in which they were found.
    package var plugins: [PluginDescription] {
        contents.with { contents in
            contents.order.compactMap { contents.entries[$0]?.description }
        }
    }

    /// What was wrong with files that were found and cannot be used.
    package var rejected: [PluginError] {
        contents.with { $0.rejected }
    }

    /// Adds a library's plugins.
    package func add(_ library: PluginLibrary) throws(PluginError) {
        try contents.with { contents throws(PluginError) in
            for plugin in library.plugins {
                if let first = contents.entries[plugin.id] {
                    throw PluginError.duplicate(
                        id: plugin.id, path: library.path, first: first.description.path)
                }
            }
            for plugin in library.plugins {
                contents.entries[plugin.id] = Entry(description: plugin, library: library)
                contents.order.append(plugin.id)
            }
        }
    }

    /// Loads every plugin file of a directory, in the order of the names; a bad file is kept as rejected.
    ///
    /// A directory that does not exist holds no plugins.
    package func search(_ directory: String) {
        contents.with { $0.searched.append(directory) }
        for name in Self.files(in: directory) {
            let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
            do {
                try add(PluginLibrary(path: path))
            } catch {
                contents.with { $0.rejected.append(error) }
            }
        }
    }

    /// The plugin with an id, or with a short name: the id's last part, or the file's name.
    package func find(_ name: String) throws(PluginError) -> Entry {
        try contents.with { contents throws(PluginError) in
            if let entry = contents.entries[name] {
                return entry
            }
            for id in contents.order {
                if let entry = contents.entries[id], id.hasSuffix("." + name) || entry.description.shortName == name {
                    return entry
                }
            }
            throw PluginError.unknown(
                id: name, searched: contents.searched,
                found: contents.order.compactMap { contents.entries[$0]?.description.shortName })
        }
    }

    private static func files(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasSuffix(PluginFile.suffix) {
                names.append(name)
            }
        }
        return names.sorted()
    }
}

extension PluginDescription {
    /// What people call the plugin: its file's name without `lib` and `.tallyplugin.so`.
    public var shortName: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        guard file.hasPrefix("lib"), file.hasSuffix(PluginFile.suffix) else { return file }
        return String(file.dropFirst(3).dropLast(PluginFile.suffix.count))
    }
}
