import Glibc
import Testing

/// A folder of a test's own; removed with this object.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/tally-coordinator-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names {
            unsafe unlink(file(name))
            unsafe rmdir(file(name))
        }
        unsafe rmdir(path)
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, in place when there is one.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = file(name)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            try #require(written > 0)
            done += written
        }
        return path
    }

    /// Copies a file into the folder.
    @discardableResult
    func copy(_ path: String, as name: String) throws -> String {
        try write(TemporaryFolder.bytes(of: path), to: name)
    }

    /// The bytes of any file.
    static func bytes(of path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY)
        try #require(descriptor >= 0, "\(path)")
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    private var names: [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." {
                names.append(name)
            }
        }
        return names
    }
}
