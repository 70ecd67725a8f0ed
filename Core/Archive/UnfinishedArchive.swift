internal import Glibc
internal import System
internal import TextEncoding

/// A plain archive whose last run has no end, and that no process is writing any more: its player died.
///
/// As long as this object lives, no other process gives the archive its end.
package final class UnfinishedArchive {
    /// Why an archive did not get its end.
    package struct Failure: Error, CustomStringConvertible {
        /// What happened, where, and what to do.
        package let description: String
    }

    /// The file.
    package let path: String
    /// Bytes behind the last complete line: what was being written when the player died.
    package let incompleteBytes: Int

    private let descriptor: Int32
    private let completeBytes: Int

    /// Opens and locks an archive.
    ///
    /// Nil when it has its end, is erased, is no plain archive, or another process has it.
    package init?(path: String) {
        let descriptor = unsafe open(UndecodedText.path(path), O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard ArchiveLock.isFile(descriptor), ArchiveLock.acquire(descriptor), Self.isStill(path, descriptor),
            let tail = Self.tail(descriptor)
        else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
        (completeBytes, incompleteBytes) = tail
    }

    deinit {
        close(descriptor)
    }

    /// Cuts the incomplete line off and gives the run its end, on the disk when this returns.
    ///
    /// - Parameters:
    ///   - run: the run's id.
    ///   - ordinal: the number of the end's line, one more than the last one's.
    ///   - time: when the run ended, us.
    ///   - reason: why.
    /// - Throws: when the file cannot be written; the next attempt finds it without an end.
    package func end(run: String, ordinal: UInt64, at time: Int64, reason: String) throws(Failure) {
        var encoder = ArchiveLineEncoder(run: run)
        encoder.go(to: ordinal)
        encoder.end(at: time, reason: reason, dropped: 0)
        guard ftruncate(descriptor, completeBytes) == 0 else { throw failure }
        let written = unsafe encoder.buffer.withBytes { bytes in
            unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, completeBytes) == bytes.count
        }
        guard written, fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: Failure {
        let reason = SystemError.text(errno)
        return Failure(description: "\(path): the run did not get its end: \(reason). The next start tries again.")
    }

    /// Whether the path still names this file: an erasure puts another one into its place.
    private static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return unsafe fstat(descriptor, &opened) == 0 && stat(UndecodedText.path(path), &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    /// How many bytes there are up to the last complete line and behind it; nil unless a run without an end is there.
    ///
    /// Only the file's last megabytes are looked at, so that a folder of many long archives costs little.
    private static func tail(_ descriptor: Int32) -> (complete: Int, incomplete: Int)? {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let length = min(size, 2 * ArchiveFormat.longestLine)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        guard unsafe pread(descriptor, &bytes, length, size - length) == length,
            let lastBreak = bytes.lastIndex(of: 0x0A)
        else { return nil }
        let decoder = ArchiveLineDecoder()
        var end = lastBreak
        // A damaged line says nothing; the one before it does.
        while end > 0 {
            let start = bytes[..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            let line = unsafe bytes.withUnsafeBytes { bytes in
                unsafe try? decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            if let line {
                let isOpen =
                    switch line {
                    case .header(let header): !header.isErased
                    case .event, .mark: true
                    case .end: false
                    }
                return isOpen ? (size - length + lastBreak + 1, length - lastBreak - 1) : nil
            }
            end = start - 1
        }
        return nil
    }
}
