internal import Glibc

/// Bytes going to a file, a pipe or memory; remembers the first failure and writes nothing after it.
package final class ArchiveFile {
    /// Why an archive can no longer be written.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The file.
        package let path: String
        /// The system's error number.
        package let number: Int32
        /// Whether the file could not even be created.
        package let onOpen: Bool

        package var description: String {
            if onOpen, number == EWOULDBLOCK {
                return
                    "\(path): another player records to this archive, or recovers it. Choose another file with --archive."
            }
            let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
            return onOpen
                ? "\(path): cannot create the archive: \(reason). Choose another file with --archive."
                : "\(path): the archive ends here: \(reason). What was written up to the last line is kept."
        }
    }

    /// Where the bytes go.
    package let path: String
    /// The first failure.
    package private(set) var failure: Failure?
    private let descriptor: Int32

    /// Creates a file that nobody but its owner can read; one that is there is emptied, unless a living process writes
    /// it.
    package init(path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, number: errno, onOpen: true) }
        guard ArchiveLock.take(descriptor) else {
            close(descriptor)
            throw Failure(path: path, number: EWOULDBLOCK, onOpen: true)
        }
        // A pipe or a device has no length.
        if ArchiveLock.isFile(descriptor), ftruncate(descriptor, 0) != 0 {
            let number = errno
            close(descriptor)
            throw Failure(path: path, number: number, onOpen: true)
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Deletes what was written.
    package func empty() {
        guard failure == nil else { return }
        if ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 || fsync(descriptor) != 0 {
            failure = Failure(path: path, number: errno, onOpen: false)
        }
    }

    /// Writes all the bytes, or fails for good.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        var done = 0
        while failure == nil, done < bytes.count, let start = bytes.baseAddress {
            let written = unsafe Glibc.write(descriptor, start + done, bytes.count - done)
            if written >= 0 {
                done += written
            } else if errno != EINTR {
                failure = Failure(path: path, number: errno, onOpen: false)
            }
        }
    }
}

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
