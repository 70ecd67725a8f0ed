internal import EventModel
internal import PluginKit
internal import Reporting
internal import TextEncoding

/// Reads the key `delivery` of a configuration, whose form has been checked.
struct DeliverySettings {
    /// The form of the key.
    static let schema: JSONObject = [
        "type": "object", "additionalProperties": false,
        "properties": [
            "routes": ["type": "array", "items": .object(route)],
            "privacy": ["type": "array", "items": .object(rule)],
            "key": [
                "type": "object", "additionalProperties": false,
                "properties": ["environment": ["type": "string"], "file": ["type": "string"]],
            ],
        ],
    ]

    private static let selector: JSONObject = [
        "reporter": ["type": "string"], "plugin": ["type": "string"], "name": ["type": "string"],
        "kinds": ["type": "array", "items": ["type": "string", "enum": words(OutputSelector.Kind.allCases)]],
        "where": ["type": "object", "additionalProperties": ["type": "string"]],
    ]

    private static let route: JSONObject = form(adding: [
        "deliver": ["type": "boolean"],
        "percent": ["type": "number", "minimum": 0, "maximum": 100],
        "by": ["type": "string", "enum": words(DeliveryRoute.Unit.allCases)],
    ])

    private static let rule: JSONObject = form(adding: [
        "attributes": ["type": "array", "items": ["type": "string"]],
        "personal": ["type": "boolean"],
        "action": ["type": "string", "enum": ["drop", "hash", "mask"]],
        "keep": ["type": "integer", "minimum": 0, "maximum": 1000],
        "pattern": ["type": "string"],
        "replacement": ["type": "string"],
        "in": ["type": "array", "items": ["type": "string", "enum": words(PrivacyRule.Part.allCases)]],
    ])

    private static func form(adding own: JSONObject) -> JSONObject {
        var keys = selector
        for key in own { keys[key.key] = key.value }
        return ["type": "object", "additionalProperties": false, "properties": .object(keys)]
    }

    private static func words(_ cases: [some RawRepresentable<String>]) -> JSONValue {
        .array(cases.map { .string($0.rawValue) })
    }

    private let value: JSONValue
    private let places: ConfigurationPlaces

    init(_ configuration: HostConfiguration) {
        value = .object(configuration.delivery)
        places = configuration.places
    }

    /// The policy, without the key of its hashes.
    func policy() throws(ConfigurationError) -> DeliveryPolicy {
        var policy = DeliveryPolicy()
        for (index, element) in (value["routes"]?.array ?? []).enumerated() {
            policy.routes.append(try route(element, "delivery.routes.\(index)"))
        }
        for (index, element) in (value["privacy"]?.array ?? []).enumerated() {
            policy.privacy.append(try rule(element, "delivery.privacy.\(index)"))
        }
        let hashing = policy.privacy.firstIndex { rule in
            switch rule.change {
            case .attributes(_, _, .hash): true
            case .text(_, let replacement, _): replacement.contains("{hash}")
            default: false
            }
        }
        if let hashing, value["key"] == nil {
            throw wrong(
                "delivery.privacy.\(hashing)",
                "a hash needs a secret that goes into it; add \"key\" to \"delivery\", with \"environment\" or \"file\""
            )
        }
        return policy
    }

    /// The key of the hashes, read from where the configuration says.
    func key() throws(ConfigurationError) -> [UInt8] {
        guard let key = value["key"] else { return [] }
        let place: SecretPlace
        switch (key["environment"]?.string, key["file"]?.string) {
        case (let variable?, nil): place = .environment(variable)
        case (nil, let path?): place = .file(PathName.joined(places.place(of: "delivery.key.file").folder, path))
        default: throw wrong("delivery.key", "give it either \"environment\" or \"file\"")
        }
        do throws(SecretPlace.Failure) {
            let secret = try place.read()
            guard secret.count >= 16 else {
                throw SecretPlace.Failure(
                    description: "the secret has fewer than 16 bytes and could be guessed; take a longer one"
                )
            }
            return secret
        } catch {
            throw wrong("delivery.key", error.description)
        }
    }

    // MARK: - Rules

    private func route(_ value: JSONValue, _ path: String) throws(ConfigurationError) -> DeliveryRoute {
        var route = DeliveryRoute()
        route.selector = selector(value)
        route.delivers = value["deliver"]?.bool ?? true
        route.share = value["percent"]?.double.map { SampleShare(percent: $0) }
        route.unit = value["by"]?.string.flatMap(DeliveryRoute.Unit.init) ?? .run
        if !route.delivers, route.share != nil {
            throw wrong(path + ".percent", "nothing is delivered, so no share of it; remove \"deliver\" or \"percent\"")
        }
        if value["by"] != nil, route.share == nil {
            throw wrong(path + ".by", "it says of what a share is taken; add \"percent\"")
        }
        return route
    }

    private func rule(_ value: JSONValue, _ path: String) throws(ConfigurationError) -> PrivacyRule {
        if let pattern = value["pattern"]?.string {
            for key in ["attributes", "personal", "action", "keep"] where value[key] != nil {
                throw wrong(
                    "\(path).\(key)",
                    "a rule with \"pattern\" is for beacons; make another rule for attributes"
                )
            }
            guard let replacement = value["replacement"]?.string else {
                throw wrong(path, "the key \"replacement\" is missing; add it, \"\" takes the text out")
            }
            let parts = (value["in"]?.array ?? []).compactMap { $0.string.flatMap(PrivacyRule.Part.init) }
            do throws(BytePattern.Failure) {
                let parts = parts.isEmpty ? Set(PrivacyRule.Part.allCases) : Set(parts)
                return PrivacyRule(
                    selector(value),
                    .text(try BytePattern(pattern), replacement: replacement, in: parts)
                )
            } catch {
                throw wrong(path + ".pattern", "no POSIX extended regular expression: \(error.description)")
            }
        }
        for key in ["replacement", "in"] where value[key] != nil {
            throw wrong("\(path).\(key)", "it goes with \"pattern\", which is missing; add it")
        }
        let names = (value["attributes"]?.array ?? []).compactMap(\.string).map { Glob($0) }
        let isPersonal = value["personal"]?.bool ?? false
        guard !names.isEmpty || isPersonal else {
            throw wrong(path, "it names nothing; add \"attributes\", \"personal: true\" or \"pattern\"")
        }
        return PrivacyRule(selector(value), .attributes(names, personal: isPersonal, try action(value, path)))
    }

    private func action(_ value: JSONValue, _ path: String) throws(ConfigurationError) -> PrivacyRule.Action {
        let action = value["action"]?.string
        if value["keep"] != nil, action != "mask" {
            throw wrong(path + ".keep", "only \"mask\" keeps a beginning; remove it or set \"action\" to \"mask\"")
        }
        switch action {
        case "drop": return .drop
        case "hash": return .hash
        case "mask": return .mask(keep: Int(value["keep"]?.int ?? 0))
        default: throw wrong(path, "the key \"action\" is missing; set it to \"drop\", \"hash\" or \"mask\"")
        }
    }

    private func selector(_ value: JSONValue) -> OutputSelector {
        var selector = OutputSelector()
        if let text = value["reporter"]?.string { selector.reporter = Glob(text) }
        if let text = value["plugin"]?.string { selector.plugin = Glob(text) }
        if let text = value["name"]?.string { selector.name = Glob(text) }
        if let kinds = value["kinds"]?.array {
            selector.kinds = Set(kinds.compactMap { $0.string.flatMap(OutputSelector.Kind.init) })
        }
        selector.condition = value["where"]?.object.map { members in
            .all(members.compactMap { member in member.value.string.map { .fits(.name(member.key), Glob($0)) } })
        }
        return selector
    }

    private func wrong(_ path: String, _ problem: String) -> ConfigurationError {
        .unusable(places.place(of: path), key: path, problem: problem)
    }
}
