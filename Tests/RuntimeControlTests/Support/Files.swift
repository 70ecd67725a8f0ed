import Glibc

/// The system's calls for files, by path; whether each did what it should.
enum Files {
    @discardableResult
    static func mode(_ path: String, _ mode: mode_t) -> Bool { unsafe chmod(path, mode) == 0 }

    @discardableResult
    static func own(_ path: String, _ user: uid_t, _ group: gid_t) -> Bool { unsafe chown(path, user, group) == 0 }

    @discardableResult
    static func folder(_ path: String) -> Bool { unsafe mkdir(path, 0o755) == 0 }

    @discardableResult
    static func link(_ target: String, _ path: String) -> Bool { unsafe symlink(target, path) == 0 }

    @discardableResult
    static func fifo(_ path: String) -> Bool { unsafe mkfifo(path, 0o644) == 0 }

    @discardableResult
    static func size(_ path: String, _ bytes: Int) -> Bool { unsafe truncate(path, bytes) == 0 }

    @discardableResult
    static func move(_ path: String, _ to: String) -> Bool { unsafe rename(path, to) == 0 }

    @discardableResult
    static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }
}
