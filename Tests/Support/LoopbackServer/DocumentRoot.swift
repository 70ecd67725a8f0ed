import Glibc

/// The folder that a server serves, and nothing beside it.
struct DocumentRoot {
    /// What a path leads to.
    enum Lookup {
        case found(ServedFile)
        case missing
        case forbidden
    }

    private let folder: String

    init(_ path: String) throws(ServerError) {
        var information = stat()
        guard let folder = Self.realPath(path), unsafe stat(folder, &information) == 0,
            information.st_mode & S_IFMT == S_IFDIR, unsafe access(folder, R_OK | X_OK) == 0
        else {
            throw .notADirectory(path: path)
        }
        self.folder = folder
    }

    /// Opens the file at a decoded request path.
    func open(_ path: String) -> Lookup {
        guard path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            return .forbidden
        }
        guard let real = Self.realPath(folder + path) else {
            return .missing
        }
        // A symbolic link may lead out of the folder although the path has no dots.
        guard real.hasPrefix(folder == "/" ? "/" : folder + "/") || real == folder else {
            return .forbidden
        }
        return ServedFile(path: real).map { .found($0) } ?? .missing
    }

    private static func realPath(_ path: String) -> String? {
        guard !path.utf8.contains(0), let resolved = unsafe realpath(path, nil) else {
            return nil
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
