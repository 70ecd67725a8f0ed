internal import Glibc
internal import TextEncoding

/// Where a reporter's output lies, and who else could put something in its place.
///
/// Hosts have the same rule in `FileNames.outputFlags` of System, which no plugin compiles in.
package enum OutputPlace {
    /// A path as the system takes it; in its text, characters for private use stand for bytes that are no UTF-8.
    package static func name(of path: String) -> [CChar] { UndecodedText.path(path) }

    /// The text of a name that the system gives.
    package static func path(_ name: UnsafePointer<CChar>) -> String {
        unsafe UndecodedText.text(UnsafeRawBufferPointer(start: name, count: strlen(name)).map { $0 })
    }

    /// What to add to the flags of `open`: `O_NOFOLLOW` where somebody else could have put a symbolic link in the
    /// output's place, and 0 elsewhere.
    ///
    /// Such a link would have the output empty or extend a file of another name. A link in a folder of one's own is
    /// followed, as one of `/dev` is.
    package static func flags(for path: String) -> Int32 {
        isShared(folderOf: path) ? O_NOFOLLOW : 0
    }

    /// Whether the path is a symbolic link that is not to be followed.
    package static func isForeignLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(name(of: path), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            && isShared(folderOf: path)
    }

    /// Whether others than this user and root can put names into the folder of a path.
    private static func isShared(folderOf path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var status = stat()
        guard unsafe stat(name(of: folder), &status) == 0 else { return false }
        return status.st_mode & (S_IWGRP | S_IWOTH) != 0 || ![0, geteuid()].contains(status.st_uid)
    }
}
