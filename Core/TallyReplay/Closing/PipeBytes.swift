internal import Archive
internal import Glibc
internal import System

/// What came through a pipe, in a file without a name, so that it can be read once more.
@safe final class PipeBytes {
    /// How many bytes come between two looks for those that nobody needs any more.
    private static let step = 4 << 20
    /// What the size of a page divides on all machines.
    private static let alignment = 65_536

    /// Why there is no file; nil when there is one.
    let problem: SystemFailure?
    /// Why the file could not be written: it has no more bytes from there on; nil when it could.
    private(set) var failure: SystemFailure?
    /// The most bytes that lay in the file at once.
    private(set) var most = 0
    private let path: String
    private let descriptor: Int32
    private var count = 0
    /// How many of the first bytes the file does not have any more.
    private var dropped = 0
    private var looked = 0

    /// Bytes of a pipe, in a file in a folder.
    init(of path: String, in folder: String) {
        self.path = path
        descriptor = SpillFile.makeUnnamed(in: folder)
        problem = descriptor < 0 ? SystemFailure() : nil
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The pipe; what is read of it is kept.
    func keeping(_ pipe: ArchiveSource) -> ArchiveSource {
        guard problem == nil else { return pipe }
        let again = { [self] bytes in ArchiveSource(path: path, bytes: bytes, of: descriptor) }
        return unsafe ArchiveSource(path: path, rereading: again) { [self] buffer throws(ArchiveSource.Failure) in
            let got = unsafe try pipe.read(into: buffer)
            unsafe append(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            return got
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        do throws(SystemFailure) {
            unsafe try FileDescriptor(descriptor).writeAll(bytes)
            count += bytes.count
            most = max(most, count - dropped)
        } catch {
            failure = error
        }
    }

    /// Gives back the room of the bytes before an offset; looks for it now and then.
    func drop(before offset: () -> Int) {
        guard count - looked >= Self.step else { return }
        looked = count
        let end = offset() / Self.alignment * Self.alignment
        guard end > dropped else { return }
        let mapped = unsafe mmap(nil, end - dropped, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(dropped))
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { return }
        defer { unsafe munmap(mapped, end - dropped) }
        // It makes a hole in the file; a file system that has no holes keeps the bytes.
        if unsafe madvise(mapped, end - dropped, MADV_REMOVE) == 0 { dropped = end }
    }
}
