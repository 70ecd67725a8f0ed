/// The address of a request as far as it is kept: what stands behind the path may be secret.
struct RequestedAddress {
    /// The address without query, fragment and login, at most 2 KiB.
    let text: String
    /// Its host; nil of a path alone.
    let host: String?

    init(_ url: String) {
        let kept = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var text = String(Substring(kept))
        var host: String?
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            let authority = rest.prefix { $0 != "/" }
            let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            host = Self.name(of: server)
            text = "\(text[..<scheme.upperBound])\(server)\(rest.dropFirst(authority.count))"
        }
        self.host = host
        self.text = String(decoding: text.utf8.prefix(2048), as: UTF8.self)
    }

    private static func name(of server: Substring) -> String? {
        let name = server.hasPrefix("[") ? server.prefix { $0 != "]" } + "]" : server.prefix { $0 != ":" }
        return name.isEmpty ? nil : String(name)
    }

    /// The vocabulary's word for what was asked for.
    static func type(of record: CMCDRecord) -> String? {
        switch record.token(.ot) {
        case "m": "manifest"
        case "v": "video"
        case "a": "audio"
        case "av": "media"
        case "i":
            switch record.integers(.br).first?.type {
            case "v": "video_init"
            case "a": "audio_init"
            default: "media"
            }
        case "c", "tt": "subtitle"
        case "k": "encryption"
        default: nil
        }
    }
}
