import Glibc

/// A folder of a test's own, which is removed with all that is in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/tally-player-test-XXXXXX".utf8CString)
        let name = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
            return unsafe String(cString: name)
        }
        guard let name else { fatalError("no temporary folder can be made") }
        path = name
    }

    deinit {
        _ = unsafe system("rm -rf \(path)")
    }

    /// The path of a file in the folder, be it there or not.
    func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Makes a folder in it; false when that is not possible.
    func makeFolder(_ name: String) -> Bool {
        unsafe mkdir(file(name), 0o700) == 0
    }

    /// Writes a file and gives its path.
    func write(_ name: String, _ text: String) -> String {
        write(name, bytes: Array(text.utf8))
    }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ name: String, bytes: [UInt8]) -> String {
        guard let stream = unsafe fopen(file(name), "w") else { fatalError("\(name) cannot be written") }
        let written = unsafe fwrite(bytes, 1, bytes.count, stream)
        let closed = unsafe fclose(stream)
        precondition(written == bytes.count && closed == 0, "\(name) cannot be written")
        return file(name)
    }
}
