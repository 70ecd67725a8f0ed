internal import Glibc
internal import System

/// The file that the summary is written to; made before the work, so that it is not done in vain.
package final class SummaryFile {
    private let path: String
    private let descriptor: Int32

    /// Makes the file, or empties it.
    package init(_ path: String) throws(HostError) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: SystemError.text(errno)) }
    }

    deinit {
        close(descriptor)
    }

    /// Writes the text.
    package func write(_ text: String) throws(HostError) {
        do throws(StandardStream.Failure) {
            try StandardStream.write(text, to: descriptor, named: path)
        } catch {
            throw .output(error)
        }
    }
}
