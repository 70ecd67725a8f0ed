internal import Glibc
internal import System

/// All bytes of a file, read or replaced at once.
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

    /// Puts a file in the place of one: after a crash there is the old one or the new one, whole.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SystemFailure) {
        let next = path + ".new"
        let descriptor = unsafe open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            try FileDescriptor(descriptor).writeAll(bytes)
            guard fsync(descriptor) == 0 else { throw SystemFailure() }
        } catch {
            unsafe unlink(next)
            throw error
        }
        guard unsafe rename(next, path) == 0 else { throw SystemFailure() }
    }
}
