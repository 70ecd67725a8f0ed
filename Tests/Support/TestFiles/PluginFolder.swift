/// A folder with plugins for one test.
package struct PluginFolder {
    /// The folder's path.
    package let path: String
    private let folder = TemporaryFolder()

    /// Holds the fixtures `lib<name>.fixture.so` and the plugins `lib<name>.tallyplugin.so` of these names.
    package init(fixtures: [String] = [], plugins: [String] = []) throws {
        path = folder.path
        for name in fixtures {
            try add(fixture: name, as: name)
        }
        for name in plugins {
            try folder.copy("\(TestFile.products)/lib\(name).tallyplugin.so", as: "lib\(name).tallyplugin.so")
        }
    }

    /// Adds a fixture under another name, and gives its path.
    @discardableResult
    package func add(fixture: String, as name: String) throws -> String {
        try folder.copy("\(TestFile.products)/lib\(fixture).fixture.so", as: "lib\(name).tallyplugin.so")
    }

    /// Adds a file of any content that is called like a plugin, and gives its path.
    @discardableResult
    package func add(text: String, as name: String) -> String {
        folder.write("lib\(name).tallyplugin.so", text)
    }
}
