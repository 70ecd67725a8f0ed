/// A folder with plugins for one test.
struct PluginFolder {
    let path: String
    private let folder = TemporaryFolder()

    /// Holds the fixtures `lib<name>.fixture.so` and the plugins `lib<name>.tallyplugin.so` of these names.
    init(fixtures: [String] = [], plugins: [String] = []) throws {
        path = folder.path
        for (names, kind) in [(fixtures, "fixture"), (plugins, "tallyplugin")] {
            for name in names {
                let bytes = try TestFile.bytes("\(TestFile.products)/lib\(name).\(kind).so")
                folder.write("lib\(name).tallyplugin.so", bytes: bytes)
            }
        }
    }

    /// Adds a file of any content that is called like a plugin, and gives its path.
    func add(text: String, as name: String) -> String {
        folder.write("lib\(name).tallyplugin.so", text)
    }
}
