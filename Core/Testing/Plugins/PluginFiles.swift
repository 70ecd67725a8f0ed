internal import Glibc

/// Finds plugin files that were built beside the test program.
public enum PluginFiles {
    /// The folder of the running program, where the build puts plugins.
    public static let folder: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        return String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    }()

    /// The path of a plugin: `new-relic-video`.
    public static func plugin(_ name: String) -> String {
        "\(folder)/lib\(name).tallyplugin.so"
    }

    /// The path of a plugin that only tests load: `witness`.
    public static func fixture(_ name: String) -> String {
        "\(folder)/lib\(name).fixture.so"
    }
}
