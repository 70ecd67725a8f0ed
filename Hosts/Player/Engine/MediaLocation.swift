import CGStreamer

/// What a user calls an item, and the address that the engine needs for it.
package struct MediaLocation {
    /// The address with a scheme.
    let uri: String

    /// The path of the file that a location names; nil when it is fetched over a network.
    package static func filePath(_ location: String) -> String? {
        guard location.contains("://") else { return location }
        guard let name = unsafe g_filename_from_uri(location, nil, nil) else { return nil }
        defer { unsafe g_free(name) }
        return unsafe String(cString: name)
    }

    /// Makes an address of a path or takes an address as it is; nil when the path is empty or cannot be made absolute.
    init?(_ location: String) {
        if location.contains("://") {
            uri = location
            return
        }
        guard !location.isEmpty, let converted = unsafe gst_filename_to_uri(location, nil) else { return nil }
        uri = unsafe String(cString: converted)
        unsafe g_free(converted)
    }

    /// The path of the file that it is; nil when it is none.
    var path: String? { Self.filePath(uri) }

    /// Whether a location is fetched over a network.
    static func isNetwork(_ location: String) -> Bool {
        location.contains("://") && !location.hasPrefix("file://")
    }
}
