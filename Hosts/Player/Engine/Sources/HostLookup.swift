import Glibc

/// Asks the system for a host when the engine only says that nobody answered.
enum HostLookup {
    /// Whether no host of that name is known; false when that cannot be said, or a proxy is asked instead of it.
    ///
    /// It takes as long as the system's resolver does, which has just been asked by the engine.
    static func isUnknown(hostOf location: String) -> Bool {
        guard !usesProxy, let host = host(of: location) else { return false }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &found)
        if let found = unsafe found { unsafe freeaddrinfo(found) }
        return [EAI_NONAME, EAI_AGAIN, nameWithoutAddress].contains(status)
    }

    /// `EAI_NODATA`, which Swift does not see: the name is known and has no address.
    private static let nameWithoutAddress: Int32 = -5

    private static var usesProxy: Bool {
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { (name: String) in
            guard let value = unsafe getenv(name) else { return false }
            return unsafe value.pointee != 0
        }
    }

    /// The name in an address, without a user before and a port behind it.
    static func host(of location: String) -> String? {
        guard let scheme = location.firstRange(of: "://"),
            ["http", "https"].contains(location[..<scheme.lowerBound].lowercased())
        else { return nil }
        let authority = location[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host = place.first == "[" ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }
}
