internal import Glibc
internal import TestFiles

/// A folder in /tmp for the files of a server; removed with this object.
package final class ServerFolder: Sendable {
    private let folder = TemporaryFolder()
    /// Its path.
    package var path: String { folder.path }

    /// Makes it, open to the accounts that servers switch to.
    package init() throws(RealServerError) {
        guard unsafe chmod(folder.path, 0o777) == 0 else { throw .folder(folder.path, errno) }
    }

    /// A file in it.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file.
    func write(_ text: String, to name: String) throws(RealServerError) -> String {
        let target = file(name)
        let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .folder(target, errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw .folder(target, errno) }
        return target
    }

    /// The lines of a file, none when it is not there.
    package func lines(_ name: String) -> [String] {
        guard let stream = unsafe fopen(file(name), "r") else { return [] }
        defer { unsafe fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe fread(&chunk, 1, chunk.count, stream), count > 0 {
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
