package import PluginKit

/// Where pings go: all communication with the vendor is https (DCR Sweden Video iOS SDK, "Importing Frameworks").
package enum CollectionHost {
    /// The host of the guide's example; filtering traffic by `nmr` finds every ping to it.
    package static let standard = "https://secure-dmk.nmrodam.com"

    /// Checks an address without a path and gives it with its scheme.
    ///
    /// Without a scheme it is https. With http it is refused, unless the host is this machine and `allowInsecure` is
    /// set.
    package static func address(_ text: String, key: String, allowInsecure: Bool) throws(ConfigurationError) -> String {
        let (scheme, rest) = split(text)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !host.contains("@") else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: "a host such as secure-dmk.nmrodam.com")
        }
        switch scheme {
        case "https": break
        case "http" where allowInsecure && isLoopback(host): break
        case "http":
            let expected = "an https address; http is for loopback alone, with allowInsecure"
            throw .unusable(key: key, value: "\"\(text)\"", expected: expected)
        default: throw .unusable(key: key, value: "\"\(text)\"", expected: "an https address")
        }
        return "\(scheme)://\(rest)"
    }

    /// The same for an address that may not have a path.
    package static func origin(_ text: String, key: String, allowInsecure: Bool) throws(ConfigurationError) -> String {
        let address = try address(text, key: key, allowInsecure: allowInsecure)
        let slashes = address.utf8.filter { $0 == UInt8(ascii: "/") }.count
        guard slashes == 2, !address.contains("?"), !address.contains("#") else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: "a host without a path")
        }
        return address
    }

    private static func split(_ text: String) -> (scheme: String, rest: Substring) {
        guard let mark = text.firstRange(of: "://") else { return ("https", text[...]) }
        return (text[..<mark.lowerBound].lowercased(), text[mark.upperBound...])
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        let host: Substring
        if authority.hasPrefix("[") {
            host = authority.dropFirst().prefix { $0 != "]" }
        } else {
            host = authority.prefix { $0 != ":" }
        }
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
