import Glibc
import PluginABI
import Testing

/// A plugin's shared library as it was built, loaded as a host loads it.
enum PluginFile {
    /// The entry of the library `lib<name>.tallyplugin.so` beside the test program.
    static func entry(_ name: String) throws -> UnsafePointer<tally_entry> {
        let path = folder + "/lib\(name).tallyplugin.so"
        let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL)
        let reason = unsafe handle == nil ? dlerror().map { unsafe String(cString: $0) } : nil
        try #require(reason == nil, "cannot load \(path)")
        let symbol = unsafe try #require(dlsym(handle, "tally_plugin_entry_v1"))
        typealias Entry = @convention(c) () -> UnsafePointer<tally_entry>?
        return unsafe try #require(unsafeBitCast(symbol, to: Entry.self)())
    }

    private static let folder: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        return String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    }()
}
