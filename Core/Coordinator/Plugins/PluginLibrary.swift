internal import CLinux
internal import EventModel
internal import Glibc
package import PluginABI

/// A loaded plugin library: its entry and what it says of its plugins. Never unmapped.
@safe package final class PluginLibrary: @unchecked Sendable {
    /// The file that it was loaded from, or a name for a library that is linked in.
    package let path: String
    /// Its plugins.
    package let plugins: [PluginDescription]
    /// The entry, clamped to what this host knows.
    let entry: tally_entry

    /// Loads a library from a file.
    ///
    /// The file is read once; the same bytes are, from a sealed copy in memory, loaded and hashed. So the file can be
    /// replaced while it runs, and what was checked is what runs.
    package convenience init(path: String) throws(PluginError) {
        let bytes = try PluginFile.read(path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let descriptor = unsafe bytes.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return unsafe tally_sealed_copy(name, unsafe start, bytes.count)
        }
        guard descriptor >= 0 else {
            throw PluginError.unreadable(path: path, reason: "no memory for a copy: \(SystemError.text(errno))")
        }
        // The descriptor stays open for ever: the dynamic loader knows the image by this name.
        guard let handle = unsafe tally_load_library("/proc/self/fd/\(descriptor)") else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
            close(descriptor)
            throw PluginError.cannotLoad(
                path: path, reason: reason.replacingPrefix("/proc/self/fd/\(descriptor): ", with: ""))
        }
        guard let symbol = unsafe dlsym(handle, "tally_plugin_entry_v1") else {
            for major in 2...9 where unsafe dlsym(handle, "tally_plugin_entry_v\(major)") != nil {
                throw PluginError.wrongMajor(path: path, found: major)
            }
            throw PluginError.noEntry(path: path)
        }
        let function = unsafe unsafeBitCast(symbol, to: EntryFunction.self)
        unsafe try self.init(entry: function(), path: path, digest: FileDigest(descriptor: descriptor))
    }

    /// What a plugin exports.
    package typealias EntryFunction = @convention(c) () -> UnsafePointer<tally_entry>?

    /// Takes the entry of a plugin that is linked in.
    package convenience init(
        entry: UnsafePointer<tally_entry>?, path: String, sha256: String
    ) throws(PluginError) {
        unsafe try self.init(entry: entry, path: path, digest: FileDigest(sha256))
    }

    private init(entry: UnsafePointer<tally_entry>?, path: String, digest: FileDigest) throws(PluginError) {
        guard let entry = unsafe entry else {
            throw PluginError.invalid(path: path, reason: "the entry function returned NULL")
        }
        let known = MemoryLayout<tally_entry>.size
        guard let entry = unsafe clampedCopy(entry, zero: PluginLibrary.noEntry, minimum: known) else {
            throw PluginError.invalid(path: path, reason: "tally_entry is smaller than that of ABI 1.0")
        }
        guard entry.count > 0 else {
            throw PluginError.invalid(path: path, reason: "the library holds no plugin")
        }
        self.path = path
        self.entry = entry
        var plugins: [PluginDescription] = []
        for index in 0..<entry.count {
            guard let descriptor = unsafe entry.descriptor(index) else {
                throw PluginError.invalid(path: path, reason: "descriptor \(index) of \(entry.count) is NULL")
            }
            unsafe plugins.append(try PluginDescription(descriptor, path: path, digest: digest))
        }
        self.plugins = plugins
    }

    /// An entry that stands for bytes that a plugin did not give.
    private static let noEntry = unsafe tally_entry(
        struct_size: 0, abi_minor: 0, count: 0, reserved0: 0, descriptor: { _ in nil }, create: { _, _, _ in nil })
}
