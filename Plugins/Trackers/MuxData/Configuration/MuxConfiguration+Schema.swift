internal import PluginKit

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
