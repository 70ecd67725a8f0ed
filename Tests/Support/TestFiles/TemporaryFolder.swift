internal import Glibc

/// A folder of a test's own, which is removed with all that is in it.
package final class TemporaryFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Makes the folder.
    package init() {
        var template = Array("/tmp/tally-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { fatalError("no temporary folder can be made") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// The path of a file in the folder, be it there or not.
    package func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Makes a folder in it; false when that is not possible.
    @discardableResult
    package func makeFolder(_ name: String) -> Bool {
        unsafe mkdir(file(name), 0o755) == 0
    }

    /// Makes a symbolic link in it; false when that is not possible.
    @discardableResult
    package func link(_ name: String, to target: String) -> Bool {
        unsafe symlink(target, file(name)) == 0
    }

    /// Writes a file and gives its path; see ``write(_:bytes:)``.
    @discardableResult
    package func write(_ name: String, _ text: String) -> String {
        write(name, bytes: Array(text.utf8))
    }

    /// Writes a file, with the folders on the way to it, and gives its path; a file that is there is written in place.
    @discardableResult
    package func write(_ name: String, bytes: [UInt8]) -> String {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            _ = unsafe mkdir(folder, 0o755)
        }
        TestFile.write(bytes, to: file(name))
        return file(name)
    }

    /// Copies a file into the folder and gives the copy's path.
    @discardableResult
    package func copy(_ path: String, as name: String) throws -> String {
        write(name, bytes: try TestFile.bytes(path))
    }

    /// The names of what is in it, in order.
    package var names: [String] { Self.names(in: path).sorted() }

    /// Removes a file, or a folder with all that is in it; a link is removed and not followed.
    package static func remove(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// The names of what is in a folder; none when it is not there.
    package static func names(in path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
