internal import CPublicSuffix

/// What an address tells of where the media comes from.
struct SourceAddress {
    /// The address as it is reported.
    let url: String
    /// The host, nil when there is none.
    let host: String?
    /// The host's registrable domain, nil when there is none.
    let domain: String?

    /// Parses an address; data that is no address has the vendor's text for it.
    init(_ url: String) {
        let start = url.prefix(5).lowercased()
        guard start != "data:", start != "blob:" else {
            self.url = "MSE style URL"
            host = nil
            domain = nil
            return
        }
        self.url = url
        host = Self.host(in: url)
        domain = host.flatMap(Self.domain(of:))
    }

    // MARK: - Host

    /// The host of an address, which may begin with its host (`//host/path`); nil when it has none.
    static func host(in url: String) -> String? {
        var text = url.utf8[...]
        if let end = text.firstIndex(where: { Self.endsScheme.contains($0) }), text[end] == UInt8(ascii: ":") {
            text = text[text.index(after: end)...]
        }
        guard text.starts(with: "//".utf8) else { return nil }
        var authority = text.dropFirst(2).prefix { !Self.endsAuthority.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        if let port = authority.lastIndex(of: UInt8(ascii: ":")), !authority[port...].contains(UInt8(ascii: "]")) {
            authority = authority[..<port]
        }
        return authority.isEmpty ? nil : String(authority)
    }

    private static let endsScheme: [UInt8] = [
        UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
    ]
    private static let endsAuthority: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]

    // MARK: - Domain

    /// The part of a host that somebody can register: one name more than its public suffix.
    ///
    /// A name of one part and an IP address stand for themselves; a public suffix has no domain. Which suffixes are
    /// public is what libpsl has compiled in: nothing is read at run time.
    private static func domain(of host: String) -> String? {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = name.hasPrefix("[") || parts.allSatisfy { $0.allSatisfy(\.isNumber) }
        guard parts.count > 1, !isAddress else { return name }
        guard !parts.contains(""), let list = unsafe psl_builtin() else { return nil }
        // The list knows small letters alone.
        return unsafe name.lowercased().withCString { start -> String? in
            guard let domain = unsafe psl_registrable_domain(list, start) else { return nil }
            let count = unsafe String(cString: domain).split(separator: ".").count
            return parts.suffix(count).joined(separator: ".")
        }
    }
}
