import TallyTesting
import TestFiles

/// Two copies of a plugin's file with other hashes, in turns, as newer files of the same plugin; removed with this object.
final class FileCopies {
    private let folder = TemporaryFolder()
    private let name: String
    private var count = 0

    init(of plugin: String) throws {
        name = "lib\(plugin).tallyplugin.so"
        let bytes = try TestFile.bytes(PluginFiles.plugin(plugin))
        for copy in ["one", "two"] {
            // What lies behind the end of a library is not looked at.
            folder.write("\(copy)/\(name)", bytes: bytes + Array(copy.utf8))
        }
    }

    /// The path of the copy whose turn it is.
    func next() -> String {
        count += 1
        return folder.file("\(count % 2 == 0 ? "two" : "one")/\(name)")
    }
}
