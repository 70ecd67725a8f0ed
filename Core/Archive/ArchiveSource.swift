internal import Glibc
internal import System
internal import TextEncoding

/// Where archive bytes come from.
@safe package final class ArchiveSource {
    /// Why a source cannot be read.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The file.
        package let path: String
        /// The system's error number; 0 when it is not the system that refuses.
        package let number: Int32
        private let reason: String

        /// The file, and the system's error number.
        package init(path: String, number: Int32) {
            self.path = path
            self.number = number
            reason = SystemError.text(number)
        }

        /// What is read, and why somebody else than the system refuses.
        package init(path: String, reason: String) {
            self.path = path
            number = 0
            self.reason = reason
        }

        package var description: String { "\(path): cannot read the archive: \(reason)" }
    }

    /// The file, or `standard input`.
    package let path: String
    /// Whether the bytes lie in an ordinary file, so that a read never waits for somebody.
    package let isFile: Bool
    /// Whether someone else reads the bytes, such as a decompressor.
    package var hasReader: Bool { unsafe reading != nil }
    /// Reads bytes that were read already once more; nil where nothing keeps them, and for files.
    package let rereading: ((Range<Int>) -> ArchiveSource)?
    private let descriptor: Int32
    private let reading: ((UnsafeMutableRawBufferPointer) throws(Failure) -> Int)?

    /// Opens a file.
    package init(path: String) throws(Failure) {
        let descriptor = unsafe open(UndecodedText.path(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, number: errno) }
        var status = stat()
        let kind = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        if kind == S_IFDIR {
            close(descriptor)
            throw Failure(path: path, number: EISDIR)
        }
        self.path = path
        isFile = kind == S_IFREG
        rereading = nil
        self.descriptor = descriptor
        unsafe reading = nil
    }

    /// Takes bytes that someone else reads, such as a decompressor; 0 bytes are the end.
    ///
    /// `rereading` reads some of them once more, for an archive that is still written.
    package init(
        path: String,
        isFile: Bool = false,
        rereading: ((Range<Int>) -> ArchiveSource)? = nil,
        reading: @escaping (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) {
        self.path = path
        self.isFile = isFile
        self.rereading = rereading
        descriptor = -1
        unsafe self.reading = reading
    }

    /// Reads some bytes of a file that stays open meanwhile.
    package convenience init(path: String, bytes: Range<Int>, of descriptor: Int32) {
        var rest = bytes
        unsafe self.init(path: path) { buffer throws(Failure) in
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest.count))
            do throws(SystemFailure) {
                let got = unsafe try FileDescriptor(descriptor).read(into: room, at: rest.lowerBound)
                rest = rest.dropFirst(got)
                return got
            } catch {
                throw Failure(path: path, number: error.number)
            }
        }
    }

    /// Takes standard input.
    package init() {
        path = "standard input"
        isFile = false
        rereading = nil
        descriptor = dup(0)
        unsafe reading = nil
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads some bytes; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        if let reading = unsafe reading { return unsafe try reading(buffer) }
        do throws(SystemFailure) {
            return unsafe try FileDescriptor(descriptor).read(into: buffer)
        } catch {
            throw Failure(path: path, number: error.number)
        }
    }
}
