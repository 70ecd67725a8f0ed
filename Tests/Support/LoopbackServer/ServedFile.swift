import Glibc

/// A regular file that is open for reading.
final class ServedFile {
    let size: Int
    let contentType: String
    private let descriptor: Int32

    init?(path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        contentType = Self.contentType(of: path)
        var information = stat()
        guard descriptor >= 0, unsafe fstat(descriptor, &information) == 0,
            information.st_mode & S_IFMT == S_IFREG
        else {
            size = 0
            return nil
        }
        size = Int(information.st_size)
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
        }
    }

    /// Reads the bytes from an offset on; fewer than asked for when the file has become shorter.
    func read(at offset: Int, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
                let read = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                if read > 0 {
                    filled += read
                } else if read == 0 || errno != EINTR {
                    return
                }
            }
        }
    }

    /// Returns the type that a player expects for the file's extension.
    static func contentType(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
        return switch suffix.lowercased() {
        case "m3u8": "application/vnd.apple.mpegurl"
        case "mpd": "application/dash+xml"
        case "mp4", "m4v": "video/mp4"
        case "m4s": "video/iso.segment"
        case "m4a": "audio/mp4"
        case "ts": "video/mp2t"
        case "mkv": "video/x-matroska"
        case "webm": "video/webm"
        case "vtt": "text/vtt"
        case "html", "htm": "text/html; charset=utf-8"
        case "json": "application/json"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
