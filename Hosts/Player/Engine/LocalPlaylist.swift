import Glibc

/// Knows files that list segments: the engine's demuxers fetch what such a file names over HTTP only.
enum LocalPlaylist {
    private static let limit = 4096

    /// Whether a file is an HLS playlist or a DASH manifest, whatever its name is.
    static func isPlaylist(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        // What is read from a pipe is gone.
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        return isPlaylist(bytes[..<count])
    }

    private static func isPlaylist(_ bytes: ArraySlice<UInt8>) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = String(decoding: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes, as: UTF8.self)
        guard let first = text.first(where: { !$0.isWhitespace }) else { return false }
        return text.hasPrefix("#EXTM3U") || (first == "<" && text.contains("<MPD"))
    }
}
