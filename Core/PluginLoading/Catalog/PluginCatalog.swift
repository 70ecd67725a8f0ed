internal import Glibc
internal import System

/// The plugins that were found, by id; the first file that has an id wins.
public final class PluginCatalog: @unchecked Sendable {
    /// A plugin and the library that makes its instances.
    package struct Entry: Sendable {
        /// What the plugin says of itself.
        package let description: PluginDescription
        /// Its library.
        package let library: LoadedLibrary

        package init(description: PluginDescription, library: LoadedLibrary) {
            self.description = description
            self.library = library
        }
    }

    /// A file that was found and cannot be used.
    public struct Rejection: Sendable {
        /// The file.
        public let path: String
        /// What is wrong with it.
        package let error: PluginError

        /// What is wrong with the file and what to do.
        public var reason: String { error.description }

        /// SHA-256 of a file that is not used because a process died in it; nil for every other.
        public var quarantined: String? { error.quarantined }
    }

    /// A plugin that was found and is not used, because a directory that was searched before has one with its id.
    public struct Shadowed: Sendable {
        /// The plugin.
        public let id: String
        /// The file that is not used.
        public let path: String
        /// The file that is used.
        public let first: String
    }

    /// A file that is opened when somebody wants it.
    private struct Unopened: Sendable {
        let path: String
        let directory: String
    }

    private let contents = Lock(Contents())
    /// How often files were opened late; held meanwhile, so that nobody looks at half of them.
    private let opening = Lock(0)

    private struct Contents {
        var entries: [String: Entry] = [:]
        var order: [String] = []
        /// Every library that was loaded, used or not, the oldest first.
        var libraries: [LoadedLibrary] = []
        var searched: [String] = []
        var rejections: [Rejection] = []
        var shadowed: [Shadowed] = []
        /// Files that were found and not opened yet, in the order in which they count.
        var unopened: [Unopened] = []
        /// The files of each directory by the ids of their plugins.
        var places: [String: [String: String]] = [:]

        mutating func keep(_ library: LoadedLibrary) {
            if !libraries.contains(where: { $0 === library }) {
                libraries.append(library)
            }
        }

        mutating func add(_ plugin: PluginDescription, of library: LoadedLibrary) {
            entries[plugin.id] = Entry(description: plugin, library: library)
            order.append(plugin.id)
        }
    }

    /// What files have to pass before they are loaded.
    public let admission: PluginAdmission

    /// Libraries that catalogs share: none is ever unmapped, so a process that makes one catalog after another would
    /// grow with each.
    private static let shared = Lock<[LoadedLibrary]>([])
    private let sharesLibraries: Bool

    /// A catalog without plugins.
    public convenience init(admission: PluginAdmission = PluginAdmission()) {
        self.init(admission: admission, sharingLibraries: false)
    }

    /// A catalog that uses what others in this process have loaded, where file and bytes are the same.
    package init(admission: PluginAdmission, sharingLibraries: Bool) {
        self.admission = admission
        sharesLibraries = sharingLibraries
    }

    /// The plugins in the order in which they were found.
    public var plugins: [PluginDescription] {
        openAll()
        return contents.with { contents in
            contents.order.compactMap { contents.entries[$0]?.description }
        }
    }

    /// The files that were found and cannot be used.
    public var rejections: [Rejection] {
        openAll()
        return contents.with { $0.rejections }
    }

    /// The same without opening further files.
    package var openedRejections: [Rejection] { contents.with { $0.rejections } }

    /// What was wrong with files that were found and cannot be used.
    package var rejected: [PluginError] { rejections.map(\.error) }

    /// The plugins that an earlier directory's took the place of.
    public var shadowed: [Shadowed] {
        openAll()
        return contents.with { $0.shadowed }
    }

    /// Adds a library's plugins.
    package func add(_ library: LoadedLibrary) throws(PluginError) {
        try contents.with { contents throws(PluginError) in
            for plugin in library.plugins {
                if let first = contents.entries[plugin.id] {
                    throw .duplicate(id: plugin.id, path: library.path, first: first.description.path)
                }
            }
            contents.keep(library)
            for plugin in library.plugins {
                contents.add(plugin, of: library)
            }
        }
    }

    /// Opens, checks and loads a file without using it; a file whose bytes are loaded already is not loaded again.
    package func library(_ path: String, within directory: String? = nil) throws(PluginError) -> LoadedLibrary {
        try load(path, within: directory) { sha256 in
            self.contents.with { $0.libraries }.first { $0.plugins.first?.sha256 == sha256 }
        }
    }

    /// Opens, checks and loads a file, unless it is loaded already, in this catalog or in one that shares.
    private func load(
        _ path: String,
        within directory: String?,
        loaded: @escaping (_ sha256: String) -> LoadedLibrary? = { _ in nil }
    ) throws(PluginError) -> LoadedLibrary {
        let library = try admission.load(path, within: directory) { sha256 in
            if let own = loaded(sha256) { return own }
            guard self.sharesLibraries else { return nil }
            return Self.shared.with { $0.first { $0.path == path && $0.plugins.first?.sha256 == sha256 } }
        }
        if sharesLibraries {
            Self.shared.with { shared in
                if !shared.contains(where: { $0 === library }) { shared.append(library) }
            }
        }
        return library
    }

    /// Puts a library's plugins into the place of an older one's, which stays loaded.
    package func replace(_ old: LoadedLibrary, with library: LoadedLibrary) {
        contents.with { contents in
            contents.keep(library)
            contents.order.removeAll { contents.entries[$0]?.library === old }
            contents.entries = contents.entries.filter { $0.value.library !== old }
            for plugin in library.plugins {
                contents.add(plugin, of: library)
            }
        }
    }

    /// Keeps a file that cannot be used in the list; an earlier reason for the same file is forgotten.
    package func reject(_ path: String, _ error: PluginError) {
        contents.with { contents in
            contents.rejections.removeAll { $0.path == path }
            contents.rejections.append(Rejection(path: path, error: error))
        }
    }

    /// Whether a file was looked at: it is in use, or there is a reason why not.
    package func knows(_ path: String) -> Bool {
        contents.with { contents in
            contents.entries.values.contains { $0.library.path == path }
                || contents.rejections.contains { $0.path == path }
                || contents.shadowed.contains { $0.path == path }
                || contents.unopened.contains { $0.path == path }
        }
    }

    /// Forgets that a file could not be used.
    package func forgetRejection(of path: String) { contents.with { $0.rejections.removeAll { $0.path == path } } }

    /// Every plugin of every library that was loaded, also of those that are not used, the oldest first.
    package var loaded: [Entry] {
        openAll()
        return contents.with { contents in
            contents.libraries.flatMap { library in
                library.plugins.map { Entry(description: $0, library: library) }
            }
        }
    }

    /// Loads every plugin file of a directory, in the order of the names; a bad file is kept as rejected.
    ///
    /// An id that is known from before stays with its first file: directories are searched in the order in which they
    /// count. Two files of one directory with the same id are an error of the second. A directory that does not exist
    /// holds no plugins.
    ///
    /// - Parameters:
    ///   - directory: where to look.
    ///   - late: whether files are opened only when a plugin of their name is wanted, or all plugins are. It is for
    ///     directories that count after all others, and in which a file is named after its plugin: loading costs memory
    ///     and runs code that nobody asked for.
    public func search(_ directory: String, late: Bool = false) {
        contents.with { contents in
            contents.searched.append(directory)
            contents.places[directory] = [:]
        }
        let files = PluginFile.names(in: directory).map { name in
            Unopened(path: directory.hasSuffix("/") ? directory + name : directory + "/" + name, directory: directory)
        }
        if late {
            contents.with { $0.unopened += files }
        } else {
            openAll()
            open(files)
        }
    }

    /// Opens all files that were found.
    private func openAll() { open { _ in true } }

    /// Opens the files that were found and not opened, and are wanted.
    private func open(where isWanted: (Unopened) -> Bool) {
        opening.with { count in
            count += 1
            open(
                contents.with { contents in
                    defer { contents.unopened.removeAll(where: isWanted) }
                    return contents.unopened.filter(isWanted)
                }
            )
        }
    }

    private func open(_ files: [Unopened]) {
        for file in files {
            do throws(PluginError) {
                try adopt(load(file.path, within: file.directory), of: file.directory)
            } catch {
                contents.with { $0.rejections.append(Rejection(path: file.path, error: error)) }
            }
        }
    }

    /// Adds the plugins of a library that no earlier directory has.
    private func adopt(_ library: LoadedLibrary, of directory: String) throws(PluginError) {
        try contents.with { contents throws(PluginError) in
            contents.keep(library)
            for plugin in library.plugins {
                if let first = contents.places[directory]?[plugin.id] {
                    throw .duplicate(id: plugin.id, path: library.path, first: first)
                }
            }
            for plugin in library.plugins {
                contents.places[directory]?[plugin.id] = library.path
                if let first = contents.entries[plugin.id] {
                    contents.shadowed.append(Shadowed(id: plugin.id, path: library.path, first: first.description.path))
                } else {
                    contents.add(plugin, of: library)
                }
            }
        }
    }

    /// The plugin that an id stands for, nil when there is none.
    package func inUse(_ id: String) -> Entry? {
        openAll()
        return contents.with { $0.entries[id] }
    }

    /// Whether a library's plugins are those that their ids stand for, or the same bytes by another path.
    package func uses(_ library: LoadedLibrary) -> Bool {
        library.plugins.contains { plugin in
            guard let loaded = inUse(plugin.id) else { return false }
            return loaded.library === library || !plugin.sha256.isEmpty && loaded.description.sha256 == plugin.sha256
        }
    }

    /// A plugin with an id that a loaded library has in another version than the one in use, nil when there is none.
    package func find(sha256: String, id: String) -> Entry? {
        guard !sha256.isEmpty else { return nil }
        return loaded.first { $0.description.id == id && $0.description.sha256 == sha256 }
    }

    /// What the plugin with an id or short name says of itself, nil when there is none.
    public func plugin(named name: String) -> PluginDescription? { try? find(name).description }

    /// Why there is no plugin with an id or short name and what to do, nil when there is one.
    public func reasonForMissing(_ name: String) -> String? { absence(of: name)?.description }

    /// Why there is no plugin with an id or short name, nil when there is one.
    package func absence(of name: String) -> PluginError? {
        do throws(PluginError) {
            _ = try find(name)
            return nil
        } catch {
            return error
        }
    }

    /// The plugin with an id, or with a short name: the id's last part, or the file's name.
    package func find(_ name: String) throws(PluginError) -> Entry {
        if let entry = opened(name) { return entry }
        let file = name.split(separator: ".").last.map(String.init) ?? name
        open { [file, name].contains(PluginFile.shortName(of: $0.path)) }
        if let entry = opened(name) { return entry }
        openAll()
        if let entry = opened(name) { return entry }
        throw contents.with { contents in
            // A file of that name which cannot be used is the better answer than that there is none.
            let isNamed: (Rejection) -> Bool = { PluginFile.shortName(of: $0.path) == name || self.has($0, name) }
            if let rejection = contents.rejections.first(where: isNamed) { return rejection.error }
            return PluginError.unknown(
                id: name,
                searched: contents.searched,
                found: contents.order.compactMap { contents.entries[$0]?.description.shortName }
            )
        }
    }

    /// Whether a file in quarantine had a plugin with an id or short name, as far as the quarantine knows.
    private func has(_ rejection: Rejection, _ name: String) -> Bool {
        guard let sha256 = rejection.quarantined,
            let entry = admission.quarantine?.entries.first(where: { $0.sha256 == sha256 })
        else { return false }
        return entry.plugin == name || entry.plugin.hasSuffix("." + name)
    }

    /// The plugin with an id or short name in the files that are opened, nil when there is none.
    private func opened(_ name: String) -> Entry? {
        contents.with { contents in
            if let entry = contents.entries[name] { return entry }
            for id in contents.order {
                if let entry = contents.entries[id], id.hasSuffix("." + name) || entry.description.shortName == name {
                    return entry
                }
            }
            return nil
        }
    }
}

extension PluginDescription {
    /// What people call the plugin: its file's name without a `lib` before and `.tallyplugin.so` behind it.
    public var shortName: String { PluginFile.shortName(of: path) }
}
