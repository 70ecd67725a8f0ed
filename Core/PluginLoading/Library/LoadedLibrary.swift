internal import CLinux
internal import EventModel
internal import Glibc
package import PluginABI
internal import Synchronization
internal import System

/// A loaded plugin library: its entry and what it says of its plugins.
///
/// Never unmapped.
@safe package final class LoadedLibrary: @unchecked Sendable {
    /// The file that it was loaded from, or a name for a library that is linked in.
    package let path: String
    /// Its plugins.
    package let plugins: [PluginDescription]
    /// The entry, clamped to what this host knows.
    private let entry: tally_entry
    /// The entry in the plugin's own memory, which its functions get.
    package let foreignEntry: UnsafePointer<tally_entry>
    private let line = unsafe Lock<UnsafePointer<CChar>?>(nil)

    /// What this process writes when it dies in the library; nil when it writes nothing.
    var crashLine: UnsafePointer<CChar>? {
        unsafe line.with { line in
            if unsafe line == nil, let plugin = plugins.first {
                unsafe line = CrashLine.make(sha256: plugin.sha256, plugin: plugin.id)
            }
            return unsafe line
        }
    }

    /// Loads a library from a file.
    ///
    /// The file is read once; the same bytes are, from a sealed copy in memory, loaded and hashed. So the file can be
    /// replaced while it runs, and what was checked is what runs.
    package convenience init(path: String) throws(PluginError) {
        try self.init(PluginCandidate(path: path, trust: .everything))
    }

    /// Loads the copy of a file that was opened and checked.
    package convenience init(_ candidate: PluginCandidate) throws(PluginError) {
        let path = candidate.path
        let descriptor = candidate.descriptor
        // The descriptor stays open for ever: the dynamic loader knows the image by this name.
        guard let handle = unsafe tally_load_library("/proc/self/fd/\(descriptor)") else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
            close(descriptor)
            throw .cannotLoad(path: path, reason: reason.replacingPrefix("/proc/self/fd/\(descriptor): ", with: ""))
        }
        guard let symbol = unsafe dlsym(handle, "tally_plugin_entry_v1") else {
            for major in 2...9 where unsafe dlsym(handle, "tally_plugin_entry_v\(major)") != nil {
                throw .wrongMajor(path: path, found: major)
            }
            throw .noEntry(path: path)
        }
        let function = unsafe unsafeBitCast(symbol, to: EntryFunction.self)
        unsafe try self.init(entry: function(), path: path, digest: candidate.digest)
    }

    /// The image of a library that is loaded already, for another file with the same bytes.
    convenience init(_ loaded: LoadedLibrary, path: String) throws(PluginError) {
        let digest = FileDigest(loaded.plugins.first?.sha256 ?? "")
        unsafe try self.init(entry: loaded.foreignEntry, path: path, digest: digest)
    }

    /// What a plugin exports.
    package typealias EntryFunction = @convention(c) () -> UnsafePointer<tally_entry>?

    /// Takes the entry of a plugin that is linked in.
    package convenience init(entry: UnsafePointer<tally_entry>?, path: String, sha256: String) throws(PluginError) {
        unsafe try self.init(entry: entry, path: path, digest: FileDigest(sha256))
    }

    private init(entry: UnsafePointer<tally_entry>?, path: String, digest: FileDigest) throws(PluginError) {
        guard let entry = unsafe entry else { throw .invalid(path: path, reason: "the entry function returned NULL") }
        let copy = unsafe try FunctionTables.entry.copy(entry, of: path).get()
        guard unsafe copy.count > 0 else { throw .invalid(path: path, reason: "the library holds no plugin") }
        self.path = path
        unsafe self.entry = unsafe copy
        unsafe foreignEntry = unsafe entry
        var plugins: [PluginDescription] = []
        for index in unsafe 0..<copy.count {
            guard let descriptor = unsafe copy.descriptor(entry, index) else {
                throw .invalid(path: path, reason: unsafe "descriptor \(index) of \(copy.count) is NULL")
            }
            let plugin = unsafe try PluginDescription(descriptor, path: path, digest: digest)
            guard !plugins.contains(where: { $0.id == plugin.id }) else {
                throw .invalid(path: path, reason: "two of its plugins have the id \(plugin.id)")
            }
            plugins.append(plugin)
        }
        self.plugins = plugins
    }

    /// The function that makes instances of its plugins.
    var create: UnsafeRawPointer { unsafe unsafeBitCast(entry.create, to: UnsafeRawPointer.self) }
}

/// What a dying process writes when a thread is in a plugin: hash and id, made once and kept for good.
@safe enum CrashLine {
    /// Whether this process writes anything as it dies.
    static let isWatched = Atomic<Bool>(false)

    /// A line for a file.
    static func make(sha256: String, plugin: String) -> UnsafePointer<CChar>? {
        guard isWatched.load(ordering: .relaxed), !sha256.isEmpty else { return nil }
        return unsafe UnsafePointer(strdup("\(sha256) \(plugin)"))
    }
}
