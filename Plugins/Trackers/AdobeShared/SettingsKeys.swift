internal import PluginKit

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
