internal import Glibc

/// Who may write an archive: one process, from its opening until it closes it or dies.
enum ArchiveLock {
    /// Takes the lock without waiting; false when another process has it.
    ///
    /// What is no file, and a file system that has no locks, is nobody's.
    static func take(_ descriptor: Int32) -> Bool {
        guard isFile(descriptor) else { return true }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            return errno != EWOULDBLOCK
        }
        return true
    }

    /// Whether it is a file, which has a length and can be locked.
    static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
