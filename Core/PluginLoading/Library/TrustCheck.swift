internal import Glibc
internal import System

/// Whether nobody but the user and root can change a plugin's file or put another one into its place.
///
/// The open file is looked at, and the folders on the path that the system gives for it, not the path that was asked
/// for.
struct TrustCheck {
    let path: String

    /// Checks an open file and the folders that lead to it.
    ///
    /// A link is followed as long as it stays inside `directory`.
    func check(_ descriptor: Int32, _ status: stat, within directory: String?) throws(PluginError) {
        guard let real = FileNames.target(ofLink: "/proc/self/fd/\(descriptor)"), real.hasPrefix("/") else {
            throw .untrusted(path: path, reason: "the system does not say where it lies")
        }
        if let directory, let base = Self.real(directory) {
            guard real.hasPrefix(base == "/" ? base : base + "/") else {
                throw .untrusted(path: path, reason: "it is a link that leads out of the directory, to \(real)")
            }
        }
        try check(real, status, isFile: true)
        var folder = real
        while folder != "/" {
            folder = Self.parent(of: folder)
            var status = stat()
            guard unsafe lstat(folder, &status) == 0 else {
                throw .untrusted(path: path, reason: "\(folder) cannot be looked at: \(SystemError.text(errno))")
            }
            try check(folder, status, isFile: false)
        }
    }

    private func check(_ name: String, _ status: stat, isFile: Bool) throws(PluginError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .untrusted(path: path, reason: "\(name) belongs to user \(status.st_uid), not to you or root")
        }
        // In a sticky folder such as /tmp nobody can remove or rename what belongs to somebody else, and what lies in
        // it has to belong to the user or root itself.
        if !isFile, status.st_mode & S_ISVTX != 0 { return }
        guard status.st_mode & S_IWOTH == 0 else {
            throw .untrusted(path: path, reason: "\(name) can be written by everybody: chmod o-w \(name)")
        }
        guard status.st_mode & S_IWGRP == 0 || Self.isOwn(group: status.st_gid, of: status.st_uid) else {
            throw .untrusted(
                path: path,
                reason: "\(name) can be written by the group \(status.st_gid): chmod g-w \(name)"
            )
        }
    }

    /// Whether a group is a user's alone: many systems give each user one and let it write by default.
    private static func isOwn(group: gid_t, of user: uid_t) -> Bool {
        guard let entry = unsafe getpwuid(user), unsafe entry.pointee.pw_gid == group else { return false }
        let name = unsafe String(cString: entry.pointee.pw_name)
        guard let found = unsafe getgrgid(group), var member = unsafe found.pointee.gr_mem else { return false }
        while let text = unsafe member.pointee {
            guard unsafe String(cString: text) == name else { return false }
            unsafe member += 1
        }
        return true
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}

/// Which plugin files are loaded.
public enum PluginTrust: Sendable, Equatable {
    /// Files that nobody but the user and root can change: what a plugin file says runs with the user's rights.
    case owned
    /// Every file: for tests and for machines where file modes say nothing.
    case everything
}
