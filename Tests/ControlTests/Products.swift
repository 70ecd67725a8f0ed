import Glibc
import Tally

/// What was built beside the tests.
enum Products {
    /// The folder of the programs and plugins.
    static let folder: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        var path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The test program lies beside the products, or deeper in a bundle.
        while path.count > 1 {
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            if unsafe access(path + "/libjsonlines.tallyplugin.so", R_OK) == 0 { return path }
        }
        return ""
    }()

    /// The plugins of these products.
    static func catalog() -> PluginCatalog {
        let catalog = PluginCatalog()
        catalog.search(folder)
        return catalog
    }

    /// A file's text.
    static func text(_ path: String) throws -> String {
        guard let file = unsafe fopen(path, "re") else { throw Missing(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    struct Missing: Error {
        let path: String
    }
}
