import Glibc
import Testing

/// A folder with plugins for one test.
final class PluginFolder {
    let path: String
    private let folder: TemporaryFolder

    /// Holds the fixtures `lib<name>.fixture.so` and the plugins `lib<name>.tallyplugin.so` of these names.
    init(fixtures: [String] = [], plugins: [String] = []) throws {
        folder = TemporaryFolder()
        path = folder.path
        for name in fixtures {
            try add(fixture: name, as: name)
        }
        for name in plugins {
            let bytes = try TestFile.bytes("\(TestFile.products)/lib\(name).tallyplugin.so")
            folder.write("lib\(name).tallyplugin.so", bytes: bytes)
        }
    }

    /// Adds a fixture under another name, and gives its path.
    @discardableResult
    func add(fixture: String, as name: String) throws -> String {
        let bytes = try TestFile.bytes("\(TestFile.products)/lib\(fixture).fixture.so")
        return folder.write("lib\(name).tallyplugin.so", bytes: bytes)
    }

    /// Adds a file of any content that is called like a plugin.
    @discardableResult
    func add(text: String, as name: String) -> String {
        folder.write("lib\(name).tallyplugin.so", text)
    }
}
