package import PluginKit

/// What can be configured.
package struct TrackerConfiguration: Sendable {
    /// Time between two heartbeats, us; nil for none.
    package let heartbeatPeriod: Int64?
    /// The value of `trackerName`.
    package let trackerName: String
    /// Attributes for all events, in order, that of the user first.
    package let attributes: [(name: String, value: PlainValue)]

    /// Used when nothing is configured.
    package static let defaultTrackerName = "tally"

    /// JSON Schema of the configuration.
    package static let schema = """
        {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "heartbeatSeconds": {
              "type": "integer",
              "maximum": 86400,
              "default": 30,
              "description": "Time between two CONTENT_HEARTBEAT; below 1 there are none."
            },
            "trackerName": {
              "type": "string",
              "minLength": 1,
              "default": "tally",
              "description": "The value of trackerName."
            },
            "userId": {
              "type": "string",
              "minLength": 1,
              "description": "The value of enduser.id on all events."
            },
            "attributes": {
              "type": "object",
              "maxProperties": 64,
              "additionalProperties": { "type": ["string", "number", "boolean"] },
              "description": "Attributes for all events; they win over those of the tracker."
            }
          }
        }
        """

    private static let mostAttributes = 64
    private static let longestHeartbeat: Int64 = 86_400

    /// What holds without a configuration.
    package init() {
        heartbeatPeriod = 30_000_000
        trackerName = Self.defaultTrackerName
        attributes = []
    }

    /// Reads a configuration.
    package init(_ json: JSONValue) throws(ConfigurationError) {
        let seconds = try json.integer("heartbeatSeconds", in: Int64.min...Self.longestHeartbeat, default: 30)
        heartbeatPeriod = seconds < 1 ? nil : seconds * 1_000_000
        trackerName = try Self.nonEmpty("trackerName", in: json) ?? Self.defaultTrackerName
        var attributes: [(name: String, value: PlainValue)] = []
        if let user = try Self.nonEmpty("userId", in: json) {
            attributes.append(("enduser.id", .string(user)))
        }
        attributes += try Self.attributes(json["attributes"] ?? .null)
        self.attributes = attributes
    }

    private static func nonEmpty(_ key: String, in json: JSONValue) throws(ConfigurationError) -> String? {
        guard let value = json[key], !value.isNull else { return nil }
        let text = try json.text(key)
        guard !text.isEmpty else {
            throw .unusable(key: key, value: "\"\"", expected: "a text that is not empty, or leave it out")
        }
        return text
    }

    private static func attributes(
        _ json: JSONValue
    ) throws(ConfigurationError) -> [(name: String, value: PlainValue)] {
        if json.isNull { return [] }
        guard let members = json.object else {
            throw .wrongKind(key: "attributes", found: json.kind, expected: "an object")
        }
        guard members.count <= mostAttributes else {
            throw .unusable(
                key: "attributes",
                value: "\(members.count) members",
                expected: "at most \(mostAttributes)"
            )
        }
        var attributes: [(name: String, value: PlainValue)] = []
        for member in members {
            attributes.append((member.key, try value(of: member)))
        }
        return attributes
    }

    private static func value(of member: JSONObject.Member) throws(ConfigurationError) -> PlainValue {
        let key = "attributes.\(member.key)"
        guard (1...Limits.nameBytes).contains(member.key.utf8.count) else {
            throw .unusable(
                key: key,
                value: "\(member.key.utf8.count) bytes of name",
                expected: "a name of 1 to \(Limits.nameBytes) bytes"
            )
        }
        guard !ownNames.contains(member.key), !TimeSinceTable.standard.has(member.key) else {
            throw .unusable(
                key: key,
                value: member.value.canonicalText,
                expected: "it another name: this one is always set by the tracker"
            )
        }
        switch member.value {
        case .string(let text): return .string(text)
        case .int(let number): return .int(number)
        case .double(let number): return .double(number)
        case .bool(let isTrue): return .int(isTrue ? 1 : 0)
        default: throw .wrongKind(key: key, found: member.value.kind, expected: "a string, a number, true or false")
        }
    }

    private static let ownNames = ["eventType", "actionName", "timestamp"]
}
