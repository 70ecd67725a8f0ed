/// Where documents and creatives lie.
package enum AdLocation {
    /// Whether it is an address of the web.
    package static func isWeb(_ location: String) -> Bool {
        let scheme = location.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// What a document at `base` means by a reference; nil when it may not refer to that.
    ///
    /// A document of the web refers to the web only; one from a file also to files, named relative to itself.
    package static func resolve(_ reference: String, from base: String) -> String? {
        if isWeb(reference) { return reference }
        if isWeb(base) { return resolveWeb(reference, from: base) }
        if reference.contains("://") {
            return reference.hasPrefix("file://") ? String(reference.dropFirst("file://".count)) : nil
        }
        guard !reference.isEmpty, !reference.contains("\0") else { return nil }
        if reference.hasPrefix("/") { return reference }
        guard let slash = base.lastIndex(of: "/") else { return reference }
        return String(base[...slash]) + reference
    }

    /// What a document at `base` means by references that are to be told something.
    static func all(_ references: [String], from base: String) -> [String] {
        references.compactMap { resolve($0, from: base) }
    }

    private static func resolveWeb(_ reference: String, from base: String) -> String? {
        guard !reference.isEmpty, !reference.contains("://"), let scheme = base.firstRange(of: "://") else {
            return nil
        }
        if reference.hasPrefix("//") { return base[..<scheme.lowerBound] + ":" + reference }
        let path = base[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        let host = path.prefix { $0 != "/" }
        let origin = base[..<scheme.upperBound] + host
        if reference.hasPrefix("/") { return origin + reference }
        guard let slash = path.lastIndex(of: "/") else { return origin + "/" + reference }
        return base[..<scheme.upperBound] + path[...slash] + reference
    }
}
