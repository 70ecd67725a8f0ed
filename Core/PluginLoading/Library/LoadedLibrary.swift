package import PluginABI
internal import System

/// A plugin library: what it says of its plugins, and its code, which is loaded when an instance is made.
///
/// Of a file that was tried in a process of its own, the descriptions come from there.
@safe package final class LoadedLibrary: @unchecked Sendable {
    /// The file, or a name for a library that is linked in.
    package let path: String
    /// Its plugins.
    package let plugins: [PluginDescription]
    private let image: LibraryImage
    /// Whether what the loaded code says of its plugins is what is known of them.
    private let isChecked: Lock<Bool>

    /// Loads a library from a file.
    ///
    /// The file is read once; the same bytes are, from a sealed copy in memory, loaded and hashed. So the file can be
    /// replaced while it runs, and what was checked is what runs.
    package convenience init(path: String) throws(PluginError) {
        try self.init(PluginCandidate(path: path, trust: .everything))
    }

    /// Loads the copy of a file that was opened and checked.
    package convenience init(_ candidate: PluginCandidate) throws(PluginError) {
        try self.init(LibraryImage(candidate), path: candidate.path, digest: candidate.digest)
    }

    /// The copy of a file that was tried in a process of its own, with what it said there; nothing is loaded yet.
    init(_ candidate: PluginCandidate, described plugins: [PluginDescription]) {
        path = candidate.path
        image = LibraryImage(candidate)
        self.plugins = plugins
        isChecked = Lock(false)
    }

    /// The image of a library that is known already, for another file with the same bytes.
    init(_ known: LoadedLibrary, path: String) {
        self.path = path
        image = known.image
        plugins = known.plugins.map { plugin in
            var plugin = plugin
            plugin.path = path
            return plugin
        }
        isChecked = Lock(false)
    }

    /// What a plugin exports.
    package typealias EntryFunction = @convention(c) () -> UnsafePointer<tally_entry>?

    /// Takes the entry of a plugin that is linked in.
    package convenience init(entry: UnsafePointer<tally_entry>?, path: String, sha256: String) throws(PluginError) {
        let entry = unsafe try LibraryImage.read(entry, path).get()
        try self.init(LibraryImage(entry), path: path, digest: FileDigest(sha256))
    }

    private init(_ image: LibraryImage, path: String, digest: FileDigest) throws(PluginError) {
        self.path = path
        self.image = image
        plugins = try Self.plugins(of: image.entry(), path, digest)
        isChecked = Lock(true)
    }

    /// The sealed copy of its file in memory, for another process; nil for a library that is linked in.
    package var copyDescriptor: Int32? { image.descriptor }

    /// Loads the code, if it is not there yet, and asks it again for its plugins.
    package func load() throws(PluginError) {
        try isChecked.with { isChecked throws(PluginError) in
            guard !isChecked else { return }
            let digest = plugins.first?.digest ?? FileDigest("")
            guard try Self.plugins(of: image.entry(), path, digest) == plugins else {
                throw .invalid(path: path, reason: "it describes other plugins here than where it was tried")
            }
            isChecked = true
        }
    }

    private static func plugins(
        of entry: LibraryImage.Entry,
        _ path: String,
        _ digest: FileDigest
    ) throws(PluginError) -> [PluginDescription] {
        let identity = PluginIdentity(loading: path, digest: digest)
        return try identity.call(.load) { () -> Result<[PluginDescription], PluginError> in
            Result { () throws(PluginError) in try describe(entry, path, digest) }
        }.get()
    }

    private static func describe(
        _ entry: LibraryImage.Entry,
        _ path: String,
        _ digest: FileDigest
    ) throws(PluginError) -> [PluginDescription] {
        var plugins: [PluginDescription] = []
        let count = unsafe entry.table.count
        for index in 0..<count {
            guard let descriptor = unsafe entry.table.descriptor(entry.foreign, index) else {
                throw .invalid(path: path, reason: "descriptor \(index) of \(count) is NULL")
            }
            let plugin = unsafe try PluginDescription(descriptor, path: path, digest: digest)
            guard !plugins.contains(where: { $0.id == plugin.id }) else {
                throw .invalid(path: path, reason: "two of its plugins have the id \(plugin.id)")
            }
            plugins.append(plugin)
        }
        return plugins
    }

    /// The entry in the plugin's own memory, for which its code is loaded.
    package func foreignEntry() throws(PluginError) -> UnsafePointer<tally_entry> { unsafe try image.entry().foreign }

    /// The function that makes instances of its plugins, and the entry that it gets.
    func creating() throws(PluginError) -> (UnsafeRawPointer, UnsafePointer<tally_entry>) {
        let entry = try image.entry()
        return unsafe (unsafeBitCast(entry.table.create, to: UnsafeRawPointer.self), entry.foreign)
    }
}
