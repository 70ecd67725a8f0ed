internal import Glibc

/// A file that others are appended to.
@safe final class AppendedFile {
    private(set) var bytes = 0
    private let path: String
    private let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    /// Creates the file, or empties it.
    init(path: String) throws(ReferenceArchive.Failure) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file(path: path, number: errno) }
    }

    deinit {
        close(descriptor)
        unsafe buffer.deallocate()
    }

    /// Moves the bytes of another file to the end of this one.
    func append(_ part: String) throws(ReferenceArchive.Failure) {
        let source = unsafe open(part, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .file(path: part, number: errno) }
        defer {
            close(source)
            unsafe unlink(part)
        }
        while true {
            let got = unsafe read(source, buffer.baseAddress, buffer.count)
            guard got >= 0 else { throw .file(path: part, number: errno) }
            guard got > 0 else { return }
            // A regular file takes all bytes or reports an error at the next call.
            guard unsafe write(descriptor, buffer.baseAddress, got) == got else {
                throw .file(path: path, number: errno)
            }
            bytes += got
        }
    }
}
