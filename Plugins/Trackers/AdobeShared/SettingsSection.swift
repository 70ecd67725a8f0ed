internal import PluginKit

/// One object of the settings file, read key by key; messages name the file and the key.
struct SettingsSection {
    private let name: String
    private let members: JSONValue

    /// The section; one that is absent or null has no keys.
    init(_ name: String, of block: JSONValue) throws(ConfigurationError) {
        self.name = name
        members = block[name] ?? .null
        guard members.isNull || members.object != nil else {
            throw .wrongKind(key: "\(SettingsBlock.fileName): \(name)", found: members.kind, expected: "an object")
        }
    }

    func text(_ key: String, default value: String = "") throws(ConfigurationError) -> String {
        try read(key, .text) ?? value
    }

    func flag(_ key: String) throws(ConfigurationError) -> Bool { try read(key, .flag) ?? false }

    /// A whole number that is not below zero.
    func number(_ key: String, default value: Int64) throws(ConfigurationError) -> Int64 {
        let number = try read(key, .integer(Int64.min...Int64.max)) ?? value
        if number >= 0 { return number }
        throw .unusable(key: keyPath(key), value: "\(number)", expected: "an integer that is not negative")
    }

    func privacy() throws(ConfigurationError) -> SettingsBlock.Privacy { try read("privacyDefault", .word) ?? .optedIn }

    /// Each point of interest is a name, a latitude, a longitude and a radius in metres.
    func checkPointsOfInterest() throws(ConfigurationError) {
        guard let member = given("poi") else { return }
        guard let points = member.array else { throw wrong("poi", member, "an array") }
        for (index, point) in points.enumerated() {
            guard point[0]?.string != nil, (1...3).allSatisfy({ point[$0]?.double != nil }) else {
                throw wrong("poi.\(index)", point, "an array of name, latitude, longitude and radius")
            }
        }
    }

    private func given(_ key: String) -> JSONValue? {
        guard let member = members[key], !member.isNull else { return nil }
        return member
    }

    private func read<Value>(_ key: String, _ form: ConfigurationForm<Value>) throws(ConfigurationError) -> Value? {
        guard let member = given(key) else { return nil }
        return try form.read(member, keyPath(key))
    }

    private func wrong(_ key: String, _ member: JSONValue, _ expected: String) -> ConfigurationError {
        .wrongKind(key: keyPath(key), found: member.kind, expected: expected)
    }

    private func keyPath(_ key: String) -> String { "\(SettingsBlock.fileName): \(name).\(key)" }
}

/// The keys that the vendor's settings file is known to have.
enum SettingsKeys {
    /// Sections whose keys are known.
    private static let known: [(section: String, keys: [String])] = [
        (
            "analytics",
            [
                "rsids", "server", "charset", "ssl", "offlineEnabled", "lifecycleTimeout", "batchLimit",
                "privacyDefault", "poi", "referrerTimeout", "backdateSessionInfo",
            ]
        ),
        ("target", ["clientCode", "timeout"]),
        ("audienceManager", ["server", "analyticsForwardingEnabled"]),
        ("marketingCloud", ["org"]),
        ("acquisition", ["server", "appid"]),
    ]

    /// Top-level keys that are taken as they are.
    private static let whole = ["version", "messages", "remotes"]

    /// Dotted names of the keys that are not known, in the file's order.
    static func unknown(in members: JSONObject) -> [String] {
        var unknown: [String] = []
        for member in members {
            if whole.contains(member.key) { continue }
            guard let section = known.first(where: { $0.section == member.key }) else {
                unknown.append(member.key)
                continue
            }
            for key in member.value.object?.keys ?? [] where !section.keys.contains(key) {
                unknown.append("\(member.key).\(key)")
            }
        }
        return unknown
    }
}
