/// Where documents and creatives lie.
package enum AdLocation {
    /// Whether it is an address of the web.
    package static func isWeb(_ location: String) -> Bool {
        let scheme = scheme(of: location)
        return scheme == "http" || scheme == "https"
    }

    /// What a document at `base` means by a reference; nil when it may not refer to that.
    ///
    /// A document of the web refers to the web only; one from a file also to files, named relative to itself.
    package static func resolve(_ reference: String, from base: String) -> String? {
        if isWeb(reference) { return reference }
        if isWeb(base) { return resolveWeb(reference, from: base) }
        // A file has no scheme that it could pass on.
        if reference.hasPrefix("//") { return "https:" + reference }
        if reference.hasPrefix("file://") { return String(reference.dropFirst("file://".count)) }
        guard scheme(of: reference) == nil, !reference.isEmpty, !reference.contains("\0") else { return nil }
        if reference.hasPrefix("/") { return reference }
        guard let slash = base.lastIndex(of: "/") else { return reference }
        return String(base[...slash]) + reference
    }

    /// What a user or a document wrote, with what no address may have as escapes; nil when an address names no host.
    package static func address(_ text: String) -> String? { isWeb(text) ? AddressText.address(text) : text }

    private static func resolveWeb(_ reference: String, from base: String) -> String? {
        guard !reference.isEmpty, scheme(of: reference) == nil, let scheme = base.firstRange(of: "://") else {
            return nil
        }
        if reference.hasPrefix("//") { return base[..<scheme.lowerBound] + ":" + reference }
        let path = base[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let host = path.prefix { $0 != "/" }
        let origin = base[..<scheme.upperBound] + host
        if reference.hasPrefix("/") { return origin + reference }
        if reference.hasPrefix("?") { return base[..<scheme.upperBound] + path + reference }
        guard let slash = path.lastIndex(of: "/") else { return origin + "/" + reference }
        return base[..<scheme.upperBound] + path[...slash] + reference
    }

    /// The scheme in small letters (RFC 3986, 3.1); nil for a path.
    private static func scheme(of location: String) -> String? {
        let name = location.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard name.endIndex < location.utf8.endIndex, let first = name.first, isLetter(first),
            name.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return String(Substring(name)).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
