import Glibc
import TallyTesting
import Testing

/// A folder of a test's own with plugin files that are made there; removed with this object.
final class PluginFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/tally-runtime-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Makes a file of the patched fixture that does what `mode` says; `number` makes its hash another one.
    @discardableResult
    func make(_ name: String, mode: String = "good", number: Int = 0) throws -> String {
        try write(Self.patched(mode: mode, number: number), to: name)
    }

    /// The bytes of the patched fixture; its mode lies behind a mark.
    static func patched(mode: String, number: Int = 0) throws -> [UInt8] {
        var bytes = try Self.bytes(of: PluginFiles.fixture("patched"))
        let mark = Array("TALLY-FIXTURE-MODE:".utf8)
        let place = try #require(
            bytes.indices.first { index in
                bytes[index] == mark[0] && bytes[index...].starts(with: mark)
            }
        )
        let text = Array(mode.utf8) + [0]
        bytes.replaceSubrange(place + mark.count..<place + mark.count + text.count, with: text)
        // What lies behind the end of a library is not looked at.
        return bytes + Array("\(number)".utf8)
    }

    /// Writes a file under another name and renames it into place, as installers do.
    @discardableResult
    func install(_ bytes: [UInt8], as name: String) throws -> String {
        let temporary = try write(bytes, to: name + ".part")
        try #require(unsafe rename(temporary, file(name)) == 0)
        return file(name)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Self.write(bytes, at: file(name))
    }

    /// Writes a file, in place when there is one.
    @discardableResult
    static func write(_ bytes: [UInt8], at path: String) throws -> String {
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

    private static func remove(_ path: String) {
        if let stream = unsafe opendir(path) {
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                guard name != ".", name != ".." else { continue }
                if unsafe unlink("\(path)/\(name)") != 0 {
                    remove("\(path)/\(name)")
                }
            }
            unsafe closedir(stream)
        }
        unsafe rmdir(path)
    }
}
