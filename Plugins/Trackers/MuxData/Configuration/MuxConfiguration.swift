package import PluginKit

/// What can be configured.
package struct MuxConfiguration: Sendable {
    /// The environment's key, which decides where beacons go.
    package let environmentKey: String
    /// The name of the player; nil for the name of the tracker's instance.
    package let player: String?
    /// The customer's own collection domain, nil for the vendor's.
    package let beaconDomain: String?
    /// Whether each playhead sample is said as a time update.
    package let saysTimeUpdates: Bool
    /// Whether beacons ask for compression.
    package let wantsCompression: Bool
    /// The viewer id that was set, nil for one of the tracker's own.
    package let viewerID: String?
    /// The fields of the data objects that were set.
    package let values: [(field: Field, value: FieldValue)]

    private static let longestName = 255

    /// Reads a configuration.
    package init(_ json: JSONValue) throws(ConfigurationError) {
        let key = try json.text("environmentKey")
        guard !key.isEmpty else {
            throw .unusable(key: "environmentKey", value: "\"\"", expected: "the key of an environment")
        }
        environmentKey = key
        player = try Self.name("player", in: json)
        beaconDomain = try Self.name("beaconDomain", in: json)
        if let domain = beaconDomain, !Self.isHost(domain) {
            throw .unusable(
                key: "beaconDomain",
                value: "\"\(domain)\"",
                expected: "a host name without scheme and path"
            )
        }
        saysTimeUpdates = try json.flag("timeUpdates", default: true)
        wantsCompression = try json.flag("compress", default: false)
        viewerID = try Self.viewerID(json[Self.environmentSection] ?? .null)
        var values: [(field: Field, value: FieldValue)] = []
        for section in DataSection.all {
            values += try section.values(json[section.key] ?? .null)
        }
        self.values = values
    }

    /// The key of the environment data.
    static let environmentSection = "environmentData"

    private static func viewerID(_ json: JSONValue) throws(ConfigurationError) -> String? {
        if json.isNull { return nil }
        guard let members = json.object else {
            throw .wrongKind(key: environmentSection, found: json.kind, expected: "an object")
        }
        // The guide: the viewer id is the only field of the environment data that may be set.
        if let other = members.first(where: { $0.key != "muxViewerId" }) {
            throw .unusable(
                key: "\(environmentSection).\(other.key)",
                value: other.value.canonicalText,
                expected: "nothing: muxViewerId is the one field that can be set"
            )
        }
        return try name("muxViewerId", in: json)
    }

    private static func name(_ key: String, in json: JSONValue) throws(ConfigurationError) -> String? {
        guard let value = json[key], !value.isNull else { return nil }
        let text = try json.text(key)
        guard (1...longestName).contains(text.utf8.count) else {
            throw .unusable(key: key, value: "\(text.utf8.count) bytes", expected: "1 to \(longestName) bytes")
        }
        return text
    }

    private static func isHost(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
    }
}

extension MuxConfiguration {
    /// JSON Schema of the configuration.
    package static let schema: String = {
        var properties: JSONObject = [
            "environmentKey": [
                "type": "string", "minLength": 1, "description": "Key of the environment (customerPlayerData).",
            ],
            "player": [
                "type": "string", "minLength": 1, "maxLength": 255,
                "description": "Name of the player; without it the name of the instance.",
            ],
            "beaconDomain": [
                "type": "string", "minLength": 1, "maxLength": 255,
                "description": "Own collection domain; without it the vendor's.",
            ],
            "timeUpdates": [
                "type": "boolean", "default": true, "description": "Whether timeupdate is said for each sample.",
            ],
            "compress": [
                "type": "boolean", "default": false, "description": "Whether beacons are best sent compressed.",
            ],
            "environmentData": [
                "type": "object", "additionalProperties": false,
                "properties": ["muxViewerId": ["type": "string", "minLength": 1, "maxLength": 255]],
                "description": "The viewer id of this device; without it one is made and kept.",
            ],
        ]
        for section in DataSection.all {
            properties[section.key] = .object(object(of: section))
        }
        let schema: JSONObject = [
            "type": "object", "additionalProperties": false, "required": ["environmentKey"],
            "properties": .object(properties),
        ]
        return JSONValue.object(schema).canonicalText
    }()

    private static func object(of section: DataSection) -> JSONObject {
        var members = JSONObject()
        for member in section.members {
            let type: JSONValue =
                DataSection.numbers.contains(member.field)
                ? "integer" : DataSection.flags.contains(member.field) ? "boolean" : "string"
            var form: JSONObject = ["type": type]
            if type == "string" { form["maxLength"] = .int(Int64(DataSection.longestText)) }
            members[member.key] = .object(form)
        }
        return ["type": "object", "additionalProperties": false, "properties": .object(members)]
    }
}
