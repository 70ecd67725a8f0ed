/// Who gets in: a request that knows the token, where there is one, calls the server by a name that it has, and comes
/// from its own pages.
package struct Admission: Sendable {
    /// What a request says of itself.
    package struct Request {
        package var method = ""
        /// The path with its slashes, decoded, without the query.
        package var path = ""
        /// The header `Host`.
        package var host: String?
        /// The header `Origin`.
        package var origin: String?
        /// The header `Authorization`.
        package var authorization: String?
        /// The parameter `token` of the address.
        package var token: String?
        /// The cookie of this server.
        package var cookie: String?

        /// Says nothing yet.
        package init() {}
    }

    /// What becomes of a request.
    package enum Decision: Equatable {
        /// It is answered.
        case admitted
        /// It has shown the token in its address: it gets the cookie, and the same address without the token.
        case welcomed
        /// It asks for a server that this is not: another page may have sent it here.
        case wrongHost(String)
        /// A page of somebody else asks.
        case wrongOrigin
        /// It wants to change something.
        case wrongMethod
        /// It does not know the token.
        case unknown

        /// Why it is refused, in words for a log; nil when it is not.
        package var refusal: String? {
            switch self {
            case .admitted, .welcomed: nil
            case .wrongHost(let name):
                "its header Host names '\(name.prefix(100))', which is neither the address of this server nor one of allowed_hosts"
            case .wrongOrigin: "its header Origin is of a page of somebody else"
            case .wrongMethod: "its method is neither GET nor HEAD"
            case .unknown: "it lacks the token, or has another one"
            }
        }
    }

    private let names: Set<String>
    private let token: AccessToken?

    /// Lets in who calls the server by the address that it listens on, as this machine, or by another of its names.
    package init(_ token: AccessToken?, listening address: String, others: [String]) {
        self.token = token
        names = Set((["localhost", "127.0.0.1", "::1", address] + others).map(Self.plain))
    }

    /// What becomes of a request.
    package func decide(_ request: Request) -> Decision {
        // First of all, so that a page that has brought its own name to this address learns nothing.
        guard let host = request.host, names.contains(Self.name(of: host)) else {
            return .wrongHost(request.host ?? "")
        }
        if let origin = request.origin {
            let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "http:" || parts[0] == "https:", parts[1].isEmpty,
                parts[2].lowercased() == host.lowercased()
            else { return .wrongOrigin }
        }
        guard request.method == "GET" || request.method == "HEAD" else { return .wrongMethod }
        guard let token else { return .admitted }
        if let given = request.token, token.isToken(given) { return .welcomed }
        if let cookie = request.cookie, token.isCookie(cookie) {
            return request.token == nil ? .admitted : .welcomed
        }
        let scheme = "bearer "
        guard let authorization = request.authorization, authorization.lowercased().hasPrefix(scheme),
            token.isToken(String(authorization.dropFirst(scheme.count)))
        else { return .unknown }
        return .admitted
    }

    /// The name of a host with its port: `[::1]:8090` is `::1`.
    private static func name(of host: String) -> String {
        if host.hasPrefix("[") { return plain(String(host.dropFirst().prefix { $0 != "]" })) }
        return plain(String(host.prefix { $0 != ":" }))
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
