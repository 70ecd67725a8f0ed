internal import Glibc

/// A folder in /tmp for the files of a server; removed with this object.
package final class ServerFolder {
    /// Its path.
    package let path: String

    /// Makes it, open to the accounts that servers switch to.
    package init() throws(RealServerError) {
        var template = Array("/tmp/tally-server-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .folder("/tmp", errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        unsafe chmod(path, 0o777)
    }

    deinit {
        _ = try? RealServers.run("/bin/rm", ["-rf", path], output: "/dev/null")
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
