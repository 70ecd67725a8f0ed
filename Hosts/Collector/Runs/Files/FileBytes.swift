internal import Glibc
internal import System

/// All bytes of a file.
enum FileBytes {
    /// Reads a file whole.
    static func read(_ path: String) throws(SystemFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemFailure() }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let read: Result<Int, SystemFailure> = unsafe bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemFailure) in
                var done = 0
                while done < buffer.count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                    let got = unsafe try FileDescriptor(descriptor).read(into: rest, at: done)
                    guard got > 0 else { break }
                    done += got
                }
                return done
            }
        }
        bytes.removeSubrange(try read.get()...)
        return bytes
    }
}
