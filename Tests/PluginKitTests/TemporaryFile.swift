import Glibc

/// A file's name in a folder of its own; both are removed with it.
@safe final class TemporaryFile {
    let folder: String
    let path: String

    init() {
        var template = Array("/tmp/tally-kit-XXXXXX".utf8CString)
        folder = unsafe mkdtemp(&template).map { unsafe String(cString: $0) } ?? "/tmp"
        path = folder + "/out.jsonl"
    }

    deinit {
        unsafe unlink(path)
        unsafe rmdir(folder)
    }

    /// What it holds.
    var text: String {
        guard let file = unsafe fopen(path, "r") else { return "(no file)" }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    var lines: [String] { text.split(separator: "\n").map(String.init) }
}
