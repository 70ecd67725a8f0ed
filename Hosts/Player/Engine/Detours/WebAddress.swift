import CGStreamer

/// Addresses as GStreamer and libsoup have them.
enum WebAddress {
    /// What a document at an address means by a reference (RFC 3986, 5.2); nil when that is none.
    static func resolve(_ reference: String, from base: String) -> String? {
        let flags = GUriFlags(rawValue: G_URI_FLAGS_ENCODED.rawValue)
        guard !reference.isEmpty, let text = unsafe g_uri_resolve_relative(base, reference, flags, nil) else {
            return nil
        }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }
}
