import Glibc

/// A folder of its own for one test, removed with its last reference.
final class TemporaryFolder {
    struct Failure: Error {}

    let path: String
    private var entries: [String] = []

    init() throws {
        var template = Array("/tmp/tally-loopback-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw Failure()
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for entry in entries.reversed() {
            unsafe remove(entry)
        }
        unsafe rmdir(path)
    }

    /// Writes a file and returns its bytes.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> [UInt8] {
        let descriptor = unsafe open(entry(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure()
        }
        return bytes
    }

    /// Writes a file of bytes that differ by their position and returns them.
    func write(count: Int, to name: String) throws -> [UInt8] {
        try write((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }, to: name)
    }

    func makeFolder(_ name: String) throws {
        guard unsafe mkdir(entry(name), 0o755) == 0 else {
            throw Failure()
        }
    }

    func link(_ name: String, to target: String) throws {
        guard unsafe symlink(target, entry(name)) == 0 else {
            throw Failure()
        }
    }

    private func entry(_ name: String) -> String {
        entries.append("\(path)/\(name)")
        return "\(path)/\(name)"
    }
}
