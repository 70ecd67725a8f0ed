public import PluginABI
package import PluginLoading
internal import System

/// Where a test takes a plugin from: a file as a host does, or code that is linked in.
@safe public enum PluginSource: Sendable {
    /// A plugin's file.
    case file(String)
    /// The entry of a plugin that is linked in.
    case linked(@Sendable () -> UnsafePointer<tally_entry>?)

    /// What the plugin exports; it is there as long as the process.
    package func entry() throws(PluginError) -> UnsafePointer<tally_entry> {
        switch self {
        case .file(let path): return unsafe try LoadedLibraries.library(path).foreignEntry()
        case .linked(let entry):
            guard let entry = unsafe entry() else {
                throw .invalid(path: "linked", reason: "the entry function returned NULL")
            }
            return unsafe entry
        }
    }

    /// The plugin's library.
    package func library() throws(PluginError) -> LoadedLibrary {
        switch self {
        case .file(let path): try LoadedLibraries.library(path)
        case .linked(let entry): unsafe try LoadedLibrary(entry: entry(), path: "linked", sha256: "")
        }
    }
}

/// Libraries by path, so that a test program loads each file once.
private enum LoadedLibraries {
    private static let loaded = Lock<[String: LoadedLibrary]>([:])

    static func library(_ path: String) throws(PluginError) -> LoadedLibrary {
        if let library = loaded.with({ $0[path] }) { return library }
        let library = try LoadedLibrary(path: path)
        loaded.with { $0[path] = library }
        return library
    }
}

/// Finds plugin files that were built beside the test program.
public enum PluginFiles {
    /// The folder of the running program, where the build puts plugins.
    public static let folder = FileNames.programFolder.map { String($0.dropLast()) } ?? ""

    /// The path of a plugin: `new-relic-video`.
    public static func plugin(_ name: String) -> String { "\(folder)/lib\(name).tallyplugin.so" }

    /// The path of a plugin that only tests load: `witness`.
    public static func fixture(_ name: String) -> String { "\(folder)/lib\(name).fixture.so" }
}
