import CGStreamer
import Glibc
import TextEncoding

/// What a user calls an item, and the address that the engine needs for it.
package struct MediaLocation {
    /// Why a location is not handed to the engine.
    struct Refusal: Error, Equatable {
        let code: EngineError.Code
        let detail: String
    }

    let uri: String

    /// Makes an address of a path or takes an address as it is, of far fewer kinds than GStreamer would open.
    init(_ location: String) throws(Refusal) {
        guard let scheme = Self.scheme(of: location) else {
            guard !location.isEmpty else { throw Refusal(code: .notFound, detail: "the path is empty") }
            guard let converted = unsafe gst_filename_to_uri(UndecodedText.path(location), nil) else {
                throw Refusal(code: .notFound, detail: "the path cannot be made absolute")
            }
            uri = unsafe String(cString: converted)
            unsafe g_free(converted)
            return
        }
        switch scheme {
        case "file": break
        case "http", "https":
            guard Self.hasHost(location) else { throw Refusal(code: .notFound, detail: "not a valid address") }
        default: throw Refusal(code: .unsupportedScheme, detail: "only http, https and file are played")
        }
        uri = location
    }

    var path: String? { Self.filePath(uri) }

    /// The path of the file that a location names; nil when it is fetched over a network.
    package static func filePath(_ location: String) -> String? {
        guard location.contains("://") else { return location }
        guard let name = unsafe g_filename_from_uri(location, nil, nil) else { return nil }
        defer { unsafe g_free(name) }
        return unsafe UndecodedText.text(UnsafeRawBufferPointer(start: name, count: strlen(name)).map { $0 })
    }

    static func isNetwork(_ location: String) -> Bool { scheme(of: location).map { $0 != "file" } ?? false }

    /// What stands before `://`, in small letters; nil for a path.
    private static func scheme(of location: String) -> String? {
        location.firstRange(of: "://").map { location[..<$0.lowerBound].lowercased() }
    }

    /// Whether an address can be taken apart and names a host.
    private static func hasHost(_ address: String) -> Bool {
        let flags = GUriFlags(rawValue: G_URI_FLAGS_ENCODED.rawValue | G_URI_FLAGS_PARSE_RELAXED.rawValue)
        guard let parsed = unsafe g_uri_parse(address, flags, nil) else { return false }
        defer { unsafe g_uri_unref(parsed) }
        guard let host = unsafe g_uri_get_host(parsed) else { return false }
        return unsafe host.pointee != 0
    }
}

/// Knows files that list segments: the engine's demuxers fetch what such a file names over HTTP only.
enum LocalPlaylist {
    private static let limit = 4096

    /// Whether a file is an HLS playlist or a DASH manifest, whatever its name is.
    static func isPlaylist(_ path: String) -> Bool {
        let descriptor = unsafe open(UndecodedText.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
