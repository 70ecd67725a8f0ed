internal import HostSupport
internal import PlayerReports
internal import TextEncoding

/// Somebody whose players report here.
struct Tenant: Sendable {
    /// What becomes of viewers whose browser says that they want no tracking.
    enum OptOut: String, Sendable, CaseIterable {
        /// The run begins with the viewer's refusal of consent, for all trackers.
        case consent
        /// Nothing is kept.
        case drop
        /// It counts for nothing.
        case ignore
    }

    /// Its name, which is in paths and configurations.
    let name: String
    /// What its players have to show; none needs no key.
    var keys: [String] = []
    /// Origins of pages that may report; `*` is any.
    var origins: [String] = ["*"]
    /// The instances of its runs; nil is all.
    var plugins: [String]?
    /// How many runs may be open.
    var openRuns = 100_000
    /// How many requests a second it may send, over ten seconds; 0 is any number.
    var requestsPerSecond = 0.0
    /// How many days its archives are kept; nil is for ever.
    var retentionDays: Int?
    /// What `Sec-GPC: 1` does.
    var optOut = OptOut.consent
    /// Whether Open Analytics' requests, which name no tenant, are its.
    var takesOpenAnalytics = false
    /// Whether Open Analytics' events are held to the letter of its schema.
    var isOpenAnalyticsStrict = false
    /// How often players that report in Open Analytics are asked to say where they are, ms.
    var heartbeatInterval: Int64 = 5000
    /// The unit of their playheads; nil lets each run's events decide.
    var playheadUnit: OpenAnalyticsOptions.Unit?

    init(name: String) { self.name = name }

    /// Reads a tenant of the configuration, whose form was checked.
    init(name: String, _ value: JSONValue) {
        self.init(name: name)
        func texts(_ key: String) -> [String]? { value[key]?.array?.compactMap(\.string) }
        keys = texts("keys") ?? keys
        origins = texts("origins") ?? origins
        plugins = texts("plugins")
        openRuns = value["openRuns"]?.int.map { Int($0) } ?? openRuns
        requestsPerSecond = value["requestsPerSecond"]?.double ?? requestsPerSecond
        retentionDays = value["retentionDays"]?.int.map { Int($0) }
        optOut = value["optOut"]?.string.flatMap(OptOut.init) ?? optOut
        takesOpenAnalytics = value["openAnalytics"]?.bool ?? false
        isOpenAnalyticsStrict = value["openAnalyticsStrict"]?.bool ?? false
        heartbeatInterval = value["openAnalyticsHeartbeatMs"]?.int ?? heartbeatInterval
        playheadUnit = value["openAnalyticsUnit"]?.string.flatMap(OpenAnalyticsOptions.Unit.init)
    }

    /// The form of all tenants in the configuration.
    static let schema: JSONObject = {
        let texts: JSONValue = ["type": "array", "items": ["type": "string", "minLength": 1]]
        let tenant: JSONValue = [
            "type": "object", "additionalProperties": false,
            "properties": [
                "keys": texts, "origins": texts, "plugins": texts,
                "openRuns": ["type": "integer", "minimum": 1],
                "requestsPerSecond": ["type": "number", "minimum": 0],
                "retentionDays": ["type": "integer", "minimum": 1],
                "optOut": ["enum": .array(OptOut.allCases.map { .string($0.rawValue) })],
                "openAnalytics": ["type": "boolean"],
                "openAnalyticsStrict": ["type": "boolean"],
                "openAnalyticsHeartbeatMs": ["type": "integer", "minimum": 1000, "maximum": 3_600_000],
                "openAnalyticsUnit": [
                    "enum": .array(OpenAnalyticsOptions.Unit.allCases.map { .string($0.rawValue) })
                ],
            ],
        ]
        return ["type": "object", "additionalProperties": tenant]
    }()

    /// Whether a name can be a tenant's: it is part of paths.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.first != "."
            && name.utf8.allSatisfy { Tenants.nameBytes.contains($0) }
    }
}

/// All tenants, and who a request is of.
struct Tenants: Sendable {
    /// Why a request is refused.
    enum Refusal: Error, Equatable {
        /// It has no key, or one that nobody has.
        case unknown
        /// It comes from a page of another origin.
        case origin
    }

    /// Bytes of names of tenants and runs.
    static let nameBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8)

    /// In the order of the configuration.
    let all: [Tenant]

    /// Of a configuration; without tenants one named `default` needs no key.
    init(_ configured: JSONObject) {
        let named = configured.map { Tenant(name: $0.key, $0.value) }
        all = named.isEmpty ? [Tenant(name: "default")] : named
    }

    /// The tenant of a key, in a time that tells nothing of the keys; the only one needs none when it has none.
    func tenant(key: String?) -> Tenant? {
        var found: Tenant?
        for tenant in all {
            if tenant.keys.isEmpty, key == nil || all.count == 1 { found = found ?? tenant }
            for known in tenant.keys where Self.same(known, key ?? "") { found = tenant }
        }
        return found
    }

    /// The tenant of a name, when the key is its.
    func tenant(named name: String, key: String?) -> Tenant? {
        guard let tenant = all.first(where: { $0.name == name }) else { return nil }
        var isKnown = tenant.keys.isEmpty
        for known in tenant.keys where Self.same(known, key ?? "") { isKnown = true }
        return isKnown ? tenant : nil
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(SHA256.hex(of: left).utf8), Array(SHA256.hex(of: right).utf8))
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// What is wrong with the tenants of a configuration, each with its place.
    func problems(in configuration: HostConfiguration) -> [ConfigurationError] {
        let instances = Set(configuration.plugins.map(\.name))
        var problems: [ConfigurationError] = []
        func add(_ key: String, _ problem: String) {
            problems.append(.unusable(configuration.places.place(of: key), key: key, problem: problem))
        }
        /// Where each key of a player was given first.
        var known: [String: ConfigurationPlace] = [:]
        let keyless = all.first(where: \.takesOpenAnalytics)?.name
        for tenant in all {
            let path = "collector.tenants.\(tenant.name)"
            if tenant.takesOpenAnalytics, let keyless, keyless != tenant.name {
                add("\(path).openAnalytics", "events without a key are \(keyless)'s: one tenant can take them")
            }
            if !Tenant.isName(tenant.name) {
                add(
                    path,
                    "a tenant's name has up to 64 letters, digits, dots, dashes and underscores, and does not begin with "
                        + "a dot"
                )
            }
            for (index, plugin) in (tenant.plugins ?? []).enumerated() where !instances.contains(plugin) {
                add("\(path).plugins.\(index)", "there is no instance named \(plugin) among the plugins")
            }
            for (index, origin) in tenant.origins.enumerated() {
                if let problem = PageOrigin.problem(with: origin) { add("\(path).origins.\(index)", problem) }
            }
            for (index, key) in tenant.keys.enumerated() {
                let place = "\(path).keys.\(index)"
                if let first = known[key] {
                    add(place, "one key is given twice, first at \(first): each tells one tenant")
                } else {
                    known[key] = configuration.places.place(of: place)
                }
            }
        }
        return problems
    }
}

/// An origin as browsers send it: scheme, host and, unless it is the scheme's own, port.
enum PageOrigin {
    private static let ownPorts = ["https": ":443", "http": ":80"]

    /// What is wrong with an origin of the configuration, and what to write; nil when a browser may send it.
    static func problem(with text: String) -> String? {
        // Any page, and one that has no origin of its own, such as a file's.
        guard text != "*", text != "null" else { return nil }
        guard let mark = text.firstRange(of: "://") else {
            return "an origin has a scheme: write \"https://\(text)\""
        }
        let scheme = text[..<mark.lowerBound].lowercased()
        var host = text[mark.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        if let user = host.lastIndex(of: "@") { host.removeSubrange(...user) }
        if let port = ownPorts[scheme], host.hasSuffix(port) { host.removeLast(port.count) }
        guard !host.isEmpty, !scheme.isEmpty else {
            return "an origin has a scheme and a host, as https://www.example.org"
        }
        guard !host.contains("*") else { return "* stands alone, for any page: name each origin, or write \"*\"" }
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "browsers send a host's name in ASCII: write it so, as xn--bcher-kva.example"
        }
        let sent = "\(scheme)://\(host)"
        return sent == text ? nil : "browsers send scheme, host and port alone: write \"\(sent)\""
    }
}
