internal import Glibc
internal import TextEncoding

/// A file beside the configuration whose content several plugins get, as a member of their configuration.
///
/// A plugin's descriptor names it by its path below the folder of the configuration file. The member is named like the
/// file without its ending. It is read once, when the host starts.
struct SharedFile {
    /// The path below the folder of the configuration file.
    let path: String
    /// The member of the plugin's configuration.
    let key: String
    private let root: String

    /// Describes the file that a plugin declares.
    ///
    /// - Parameters:
    ///   - path: as the descriptor has it.
    ///   - root: the folder of the configuration file; "" is the present folder.
    init(_ path: String, root: String) {
        self.path = path
        self.root = root
        let name = path.split(separator: "/").last ?? ""
        key = String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
    }

    /// Whether a name that a descriptor has among its shared configuration is that of a file.
    static func isPath(_ name: String) -> Bool {
        name.hasSuffix(".json")
    }

    /// The member of a configuration that a descriptor's name stands for: a block's name, or a file's without ending.
    static func member(of name: String) -> String {
        isPath(name) ? SharedFile(name, root: "").key : name
    }

    /// Reads it; nil when it is not there.
    ///
    /// `place` is where the plugin is configured that wants it.
    ///
    /// Throws when it cannot be read, is no object, or lies in another place than it has to.
    func content(for place: ConfigurationPlace?) throws(ConfigurationError) -> JSONValue? {
        let file = PathName.joined(root, path)
        guard Self.exists(file) else {
            let misplaced = PathName.joined(root, path.split(separator: "/").last.map(String.init) ?? path)
            guard misplaced == file || !Self.exists(misplaced) else { throw .misplacedFile(misplaced, path: path) }
            return nil
        }
        return try ConfigurationSource.load(file, asObjectFor: key, namedAt: place).value
    }

    private static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }
}
