/// What an address tells of where the media comes from.
struct SourceAddress {
    /// The address as it is reported.
    let url: String
    /// The host, nil when there is none.
    let host: String?
    /// The host's last two names.
    let domain: String?

    /// Takes an address apart; data that is no address has the vendor's text for it.
    init(_ url: String) {
        let start = url.prefix(5).lowercased()
        guard start != "data:", start != "blob:" else {
            self.url = "MSE style URL"
            host = nil
            domain = nil
            return
        }
        self.url = url
        let found = Self.host(in: url)
        host = found
        domain = found.map { host in
            let names = host.split(separator: ".")
            guard names.count > 2, !names.allSatisfy({ name in name.allSatisfy(\.isNumber) }) else { return host }
            return names.suffix(2).joined(separator: ".")
        }
    }

    private static func host(in url: String) -> String? {
        let text = Array(url.utf8)
        let slash = UInt8(ascii: "/")
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon + 2 < text.count, text[colon + 1] == slash,
            text[colon + 2] == slash
        else { return nil }
        let rest = text[(colon + 3)...]
        var authority = rest.prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if authority.first != UInt8(ascii: "["), let port = authority.lastIndex(of: UInt8(ascii: ":")) {
            authority = authority[..<port]
        }
        return authority.isEmpty ? nil : String(decoding: authority, as: UTF8.self)
    }
}
