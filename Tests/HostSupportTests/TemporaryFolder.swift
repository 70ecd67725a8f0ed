import Glibc

/// A folder of a test's own, which is removed with all that is in it.
final class TemporaryFolder {
    let path: String
    private var made: [String] = []

    init() {
        var template = Array("/tmp/tally-test-XXXXXX".utf8CString)
        let name = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
            return unsafe String(cString: name)
        }
        guard let name else { fatalError("no temporary folder can be made") }
        path = name
    }

    deinit {
        for name in made.reversed() + [path] {
            _ = unsafe remove(name)
        }
    }

    /// Writes a file, with the folders on the way to it, and gives its path.
    @discardableResult
    func write(_ name: String, _ text: String) -> String {
        let file = path + "/" + name
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            if unsafe mkdir(folder, 0o700) == 0 {
                made.append(folder)
            }
        }
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let bytes = Array(text.utf8)
        let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        precondition(written == bytes.count, "the test's file cannot be written")
        close(descriptor)
        if !made.contains(file) {
            made.append(file)
        }
        return file
    }
}
