import Glibc

/// A folder of a test's own, which is removed with all that is in it.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/tally-replay-test-XXXXXX".utf8CString)
        let name = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
            return unsafe String(cString: name)
        }
        guard let name else { fatalError("no temporary folder can be made") }
        path = name
    }

    deinit {
        TemporaryFolder.removeAll(at: path)
    }

    private static func removeAll(at path: String) {
        if let stream = unsafe opendir(path) {
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                    unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                if name != ".", name != ".." { removeAll(at: path + "/" + name) }
            }
            unsafe closedir(stream)
        }
        _ = unsafe remove(path)
    }

    /// Writes a file, with the folders on the way to it, and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String) -> String {
        write(name, bytes: Array(text.utf8))
    }

    /// Writes a file, with the folders on the way to it, and gives its path.
    @discardableResult
    func write(_ name: String, bytes: [UInt8]) -> String {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            _ = unsafe mkdir(folder, 0o700)
        }
        let file = path + "/" + name
        guard let stream = unsafe fopen(file, "w") else { fatalError("\(file) cannot be written") }
        let written = unsafe fwrite(bytes, 1, bytes.count, stream)
        let closed = unsafe fclose(stream)
        precondition(written == bytes.count && closed == 0, "\(file) cannot be written")
        return file
    }
}
