package import PluginKit

/// What can be configured.
package struct MuxConfiguration: DeclaredConfiguration {
    /// The environment's key, which decides where beacons go.
    package private(set) var environmentKey = ""
    /// The name of the player; nil for the name of the tracker's instance.
    package private(set) var player: String?
    /// The customer's own collection domain, nil for the vendor's.
    package private(set) var beaconDomain: String?
    /// Whether each playhead sample is said as a time update.
    package private(set) var saysTimeUpdates = true
    /// Whether beacons ask for compression.
    package private(set) var wantsCompression = false
    /// The viewer id that was set, nil for one of the tracker's own.
    package private(set) var viewerID: String?
    /// The fields of the data objects that were set.
    package private(set) var values: [(field: Field, value: FieldValue)] = []

    /// Begins with nothing but defaults.
    package init() {}

    /// What can be configured, the data objects last.
    package static let keys =
        [
            Key(
                "environmentKey",
                \.environmentKey,
                .nonEmptyText("the key of an environment"),
                required: true,
                "Key of the environment in Mux (customerPlayerData)."
            ),
            Key("player", \.player, .text(bytes: 1...255), "Name of the player; without it the name of the instance."),
            Key("beaconDomain", \.beaconDomain, host, "Own collection domain, a host; without it the vendor's."),
            Key("timeUpdates", \.saysTimeUpdates, .flag, "Whether `timeupdate` is said for each sample."),
            Key("compress", \.wantsCompression, .flag, "Whether beacons are best sent compressed."),
            Key(
                "environmentData",
                \.viewerID,
                viewerID,
                "`muxViewerId`: the viewer id of this device; without it one is made and kept."
            ),
        ] + DataSection.all.map { section in Key(section.key, section.form, section.description) { $1.values += $0 } }

    private static let host = ConfigurationForm.text(bytes: 1...255).checked { text, key throws(ConfigurationError) in
        if text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || ".-:".contains($0) }) { return }
        throw .unusable(key: key, value: "\"\(text)\"", expected: "a host name without scheme and path")
    }

    private static let viewerID = ConfigurationForm<String?>(
        [
            "type": "object", "additionalProperties": false,
            "properties": ["muxViewerId": .object(ConfigurationForm.text(bytes: 1...255).schema)],
        ],
        expected: "an object"
    ) { json, key throws(ConfigurationError) in
        let members = try ConfigurationForm<JSONObject>.object().read(json, key)
        // The guide: the viewer id is the only field of the environment data that may be set.
        if let other = members.first(where: { $0.key != "muxViewerId" }) {
            let expected = "nothing: muxViewerId is the one field that can be set"
            throw .unusable(key: "\(key).\(other.key)", value: other.value.canonicalText, expected: expected)
        }
        return try json.value("muxViewerId", .text(bytes: 1...255))
    }
}
