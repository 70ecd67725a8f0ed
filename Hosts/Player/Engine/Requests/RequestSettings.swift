/// What all requests of a player carry, and which servers they trust.
package struct RequestSettings: Sendable, Equatable {
    /// What `User-Agent` says, to every host; nil for what the libraries say.
    package var userAgent: String?
    /// Headers of every request; `Authorization` and `Cookie` go to the source's own server alone.
    package var headers: [RequestHeader] = []
    /// Cookies as `name=value`, which go to the source's own server alone.
    package var cookies: [String] = []
    /// A file of certificates in PEM, which are trusted in place of those of the system; nil for those.
    package var certificatesPath: String?
    /// Whether any certificate is believed.
    package var isInsecure = false
    /// What requests say of the media and its playback.
    package var cmcd = CMCDSettings()
    /// The address of what is played: what is secret goes to its scheme, host and port.
    package var source = ""

    /// Creates settings that say nothing.
    package init() {}

    /// The headers of a request to an address but for cookies, in the order in which they were given.
    ///
    /// Several of one name are all sent.
    func headers(for url: String) -> [RequestHeader] {
        let isOwn = isOwn(url)
        var all = headers.filter { isOwn || !$0.isSecret }
        if let userAgent { all.append(RequestHeader(name: "User-Agent", value: userAgent)) }
        return all
    }

    /// The cookies of a request to an address, with others that are sent anyway; nil for none.
    func cookies(for url: String, besides others: String? = nil) -> String? {
        let own = cookies.flatMap(Self.pairs)
        let rest = Self.pairs(of: others ?? "").filter { !own.contains($0) }
        let all = isOwn(url) ? own + rest : rest
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }

    /// All headers of a request to an address for a library that keeps no cookies itself.
    package func allHeaders(for url: String) -> [RequestHeader] {
        var all = headers(for: url)
        if let cookies = cookies(for: url) { all.append(RequestHeader(name: "Cookie", value: cookies)) }
        if cmcd.form == .header { all += cmcd.ofPlaylist.headers(version: cmcd.version) }
        return all
    }

    /// The address that a playlist at an address is asked for with.
    func address(of url: String) -> String {
        cmcd.form == .query ? cmcd.ofPlaylist.added(to: url, version: cmcd.version) : url
    }

    /// The names of headers that a request to an address must not carry.
    func withheldNames(for url: String) -> [String] { isOwn(url) ? [] : headers.filter(\.isSecret).map(\.name) }

    private func isOwn(_ url: String) -> Bool { WebOrigin(url).map { $0 == WebOrigin(source) } ?? false }

    private static func pairs(of cookies: String) -> [String] {
        cookies.split(separator: ";").map { String($0.trimmed) }.filter { !$0.isEmpty }
    }

    /// What somebody has to know who believes every certificate.
    package static let insecureWarning =
        "no certificate is checked (--insecure): anybody on the way can read and change what is played and sent"
}

/// A header of a request (RFC 9110, 5).
package struct RequestHeader: Sendable, Equatable {
    /// Its name, as it was given.
    package var name: String
    /// Its value, without space around it.
    package var value: String

    /// What a text lacks that is to be a header; it says nothing of the value, which may be secret.
    package struct Problem: Error, Equatable, Sendable {
        /// What was expected instead.
        package let expected: String
    }

    private static let symbols = Set("!#$%&'*+-.^_`|~".utf8)
    /// What the libraries say themselves, as it has to fit what they send and take.
    private static let reserved = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "range",
        "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// A header of which both parts are known to be fit.
    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Reads `Name: value`.
    package init(_ text: String) throws(Problem) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw Problem(expected: "a header as 'Name: value', with a colon behind the name")
        }
        name = String(text[..<colon])
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else {
            throw Problem(expected: "a name of letters, digits and hyphens before the colon")
        }
        guard !Self.reserved.contains(name.lowercased()) else {
            throw Problem(expected: "another header: \(name) is for the player to say")
        }
        guard Self.isText(text) else { throw Problem(expected: "no line breaks or other control characters") }
        value = String(text[text.index(after: colon)...].trimmed)
    }

    /// It as libcurl takes it, which would leave out one without a value.
    var line: String { value.isEmpty ? name + ";" : "\(name): \(value)" }

    /// Whether it says who somebody is.
    package var isSecret: Bool { ["authorization", "cookie"].contains(name.lowercased()) }

    /// Whether a text has no line break or other control character, which would end a header or its request.
    package static func isText(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: symbols.contains(byte)
        }
    }
}

extension Substring {
    /// Without the spaces and tabs around it.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
        return start[...last]
    }
}

/// Scheme, host and port of an address of the web: who answers there (RFC 6454).
struct WebOrigin: Equatable {
    private let scheme: Substring
    private let host: String
    private let port: Int

    /// Takes an address apart; nil when it is none of the web.
    init?(_ address: String) {
        let small = address.lowercased()
        guard let mark = small.firstRange(of: "://") else { return nil }
        scheme = small[..<mark.lowerBound]
        guard scheme == "http" || scheme == "https" else { return nil }
        // As browsers do, a backslash is taken for a slash.
        let authority = small[mark.upperBound...].prefix { !"/\\?#".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let name = place.hasPrefix("[") ? place.prefix { $0 != "]" } : place.prefix { $0 != ":" }
        let rest = place.dropFirst(name.count).drop { $0 == "]" }
        guard !name.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { return nil }
        host = String(name.drop { $0 == "[" })
        let standard = scheme == "https" ? 443 : 80
        guard let port = rest.count > 1 ? Int(rest.dropFirst()) : standard else { return nil }
        self.port = port
    }
}
