internal import Glibc
internal import System
internal import TextEncoding

/// Bytes going to a file or a pipe; remembers the first failure and writes nothing after it.
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
            let reason = SystemError.text(ofOutput: number)
            return onOpen
                ? "\(path): cannot create the archive: \(reason). Choose another file with --archive."
                : "\(path): the archive ends here: \(reason). What was written up to the last line is kept."
        }
    }

    /// Where the bytes go.
    package let path: String
    /// The first failure.
    package private(set) var failure: Failure?
    /// -1 for an unnamed file that nothing was written to.
    private var descriptor: Int32
    /// How many bytes it may have, for an unnamed one.
    private let limit: Int
    private var written = 0

    /// Creates a file that nobody but its owner can read; one that is there is emptied, unless a living process writes
    /// it.
    package init(path: String) throws(Failure) {
        let name = UndecodedText.path(path)
        let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_CLOEXEC | FileNames.outputFlags(path), 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, number: errno, onOpen: true) }
        guard ArchiveLock.acquire(descriptor) else {
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
        limit = .max
        isUnnamed = false
        ForkGuard.guardDescriptor(descriptor)
    }

    /// A file without a name, made with the first bytes and gone with this; more than `limit` bytes fail it, and are
    /// not kept.
    package init(limit: Int) {
        path = "an unnamed file"
        descriptor = -1
        self.limit = limit
        isUnnamed = true
    }

    deinit {
        guard descriptor >= 0 else { return }
        ForkGuard.release(descriptor)
        close(descriptor)
    }

    /// Whether it has no name.
    package let isUnnamed: Bool

    /// What was written, to be read from its beginning while more is written; nil for a pipe, or when something is
    /// lost.
    package func reading() -> ArchiveFileReading? {
        guard failure == nil, ArchiveLock.isFile(descriptor) else { return nil }
        // By the descriptor: a name may be another file's by now, or none.
        let own = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        return own < 0 ? nil : ArchiveFileReading(path: path, descriptor: own)
    }

    /// A descriptor of its own to read what was written, and how many bytes that is.
    ///
    /// The caller's to close; nil as for ``reading()``.
    package func readable() -> (descriptor: Int32, bytes: Int)? {
        guard failure == nil, ArchiveLock.isFile(descriptor) else { return nil }
        let own = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        return own < 0 ? nil : (own, written)
    }

    /// Deletes what was written.
    package func empty() {
        guard failure == nil, descriptor >= 0, !ForkGuard.isCopy else { return }
        if ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 || fsync(descriptor) != 0 {
            failure = Failure(path: path, number: errno, onOpen: false)
        }
    }

    /// Writes all the bytes, or fails for good; in a copy of the process that a plugin has forked, nothing.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        guard !ForkGuard.isCopy else { return }
        if descriptor < 0, failure == nil { openUnnamed() }
        written += bytes.count
        if written > limit, failure == nil {
            failure = Failure(path: path, number: EFBIG, onOpen: false)
            // Nobody will read it.
            ftruncate(descriptor, 0)
        }
        guard failure == nil else { return }
        do throws(SystemFailure) {
            unsafe try FileDescriptor(descriptor).writeAll(bytes)
        } catch {
            failure = Failure(path: path, number: error.number, onOpen: false)
        }
    }

    private func openUnnamed() {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        let name = "\(folder)/tally-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 {
            failure = Failure(path: name, number: errno, onOpen: true)
        } else {
            ForkGuard.guardDescriptor(descriptor)
            unsafe unlink(name)
        }
    }
}

/// Whole lines of a file that is still written, from its beginning on.
@safe package final class ArchiveFileReading: LineFeed {
    package let path: String
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private let limit: Int
    private var offset = 0
    private var lines = 0

    /// Reads by a descriptor of its own, no more than so many bytes.
    package init(path: String, descriptor: Int32, bytes limit: Int = .max) {
        self.path = path
        self.limit = limit
        self.descriptor = descriptor
        unsafe buffer = .allocate(byteCount: 2 * ArchiveFormat.longestLine, alignment: 64)
    }

    deinit {
        close(descriptor)
        unsafe buffer.deallocate()
    }

    /// The lines that were written since; nil when there are none, or none whole.
    package func next() -> LineStretch? {
        let count = unsafe pread(descriptor, buffer.baseAddress, min(buffer.count, limit - offset), off_t(offset))
        guard count > 0 else { return nil }
        let read = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        guard let last = unsafe read.lastIndex(of: 0x0A) else { return nil }
        defer {
            offset += last + 1
            lines += unsafe read[...last].count { $0 == 0x0A }
        }
        return unsafe LineStretch(read, count: last + 1, firstNumber: lines + 1)
    }
}

/// Who may write an archive: one process, from its opening until it closes it or dies.
enum ArchiveLock {
    /// Acquires the lock without waiting; false when another process has it.
    ///
    /// What is no file, and a file system that has no locks, is nobody's.
    static func acquire(_ descriptor: Int32) -> Bool {
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
