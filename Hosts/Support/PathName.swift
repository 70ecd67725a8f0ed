import Glibc
internal import System
internal import TextEncoding

/// Paths as text; in their text, ``UndecodedText`` stands for what is no UTF-8.
package enum PathName {
    /// The path as the system takes it.
    package static func bytes(_ path: String) -> [CChar] {
        UndecodedText.path(path)
    }

    /// Opens a file that is written, emptied unless `how` says otherwise; -1 when the system refuses.
    ///
    /// Where others than this user and root could have put a symbolic link in its place, none is followed, and neither
    /// where nobody can tell.
    package static func openOutput(_ path: String, _ how: Int32? = nil, mode: UInt32 = 0o600) -> Int32 {
        let name = bytes(path)
        let links = name.count == path.utf8.count + 1 ? FileNames.outputFlags(path) : O_NOFOLLOW
        return unsafe open(name, O_WRONLY | O_CREAT | O_CLOEXEC | (how ?? O_TRUNC) | links, mode)
    }

    /// The text of a name that the system gives.
    package static func text(_ name: UnsafePointer<CChar>) -> String {
        unsafe UndecodedText.text(UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) })
    }

    /// The part before the last slash: "" for a name alone, "/" for a name at the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path as seen from a folder; an absolute path and an empty folder leave it as it is.
    package static func joined(_ folder: String, _ path: String) -> String {
        if folder.isEmpty || path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    /// The path with the one absolute path of its folder, for a file that need not exist yet.
    package static func resolvedFolder(_ path: String) -> String {
        let folder = folder(of: path)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return joined(resolved(folder.isEmpty ? "." : folder), name)
    }

    /// The one absolute path of an existing file, without symbolic links; the path itself when there is no such file.
    package static func resolved(_ path: String) -> String {
        guard let found = unsafe realpath(bytes(path), nil) else { return path }
        defer { unsafe free(found) }
        return unsafe text(found)
    }
}
