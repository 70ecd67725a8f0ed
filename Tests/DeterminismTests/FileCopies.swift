import Glibc
import TallyTesting
import Testing

/// Two copies of a plugin's file with other hashes, in turns, as newer files of the same plugin; removed with this object.
final class FileCopies {
    private let folder: String
    private let name: String
    private var count = 0

    init(of plugin: String) throws {
        var template = Array("/tmp/tally-copies-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        name = "lib\(plugin).tallyplugin.so"
        for copy in ["one", "two"] {
            // What lies behind the end of a library is not looked at.
            let command =
                "mkdir \(folder)/\(copy) && cp \(PluginFiles.plugin(plugin)) \(folder)/\(copy)/\(name)"
                + " && printf \(copy) >> \(folder)/\(copy)/\(name)"
            try #require(unsafe system(command) == 0)
        }
    }

    deinit {
        _ = unsafe system("rm -rf \(folder)")
    }

    /// The path of the copy whose turn it is.
    func next() -> String {
        count += 1
        return "\(folder)/\(count % 2 == 0 ? "two" : "one")/\(name)"
    }
}
