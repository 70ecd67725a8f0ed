package import PluginKit

/// What can be configured.
package struct TrackerConfiguration: Sendable {
    /// The application's information, nil when none is given: the instance is then made without it.
    package let application: ApplicationInformation?
    /// The channel, nil for the name of the video.
    package let channelName: String?
    /// Keys of the content's metadata, which win over what the player tells.
    package let content: JSONObject
    /// Keys of each ad's metadata, which win over what the player tells.
    package let ad: JSONObject
    /// Numbers of the pings.
    package let pings: PingConfiguration
    /// The vendor's page for the user's choice.
    package let optOutURL: String
    /// Whether the system's setting opts out.
    package let isOptedOutBySystem: Bool
    /// Whether the application is for children.
    package let isForKids: Bool

    /// The page of the vendor's published configurations.
    package static let standardOptOutURL = "https://priv-policy.imrworldwide.com/priv/mobile/us/en/optout_legacy.html"

    /// What holds without a configuration.
    package init() {
        application = nil
        channelName = nil
        content = [:]
        ad = [:]
        pings = PingConfiguration()
        optOutURL = Self.standardOptOutURL
        isOptedOutBySystem = false
        isForKids = false
    }

    /// Reads a configuration.
    package init(_ json: JSONValue) throws(ConfigurationError) {
        application = try ApplicationInformation(json)
        channelName = try Self.text("channelName", in: json)
        content = try Self.metadata("content", in: json)
        ad = try Self.metadata("ad", in: json)
        pings = try PingConfiguration(json)
        optOutURL = try CollectionHost.address(
            json.text("optOutURL", default: Self.standardOptOutURL),
            key: "optOutURL",
            allowInsecure: json.flag("allowInsecure", default: false)
        )
        isOptedOutBySystem = try json.flag("systemOptOut", default: false)
        isForKids = try json.flag("kids", default: false)
    }

    /// A text that may be empty, nil when it is not given.
    static func text(_ key: String, in json: JSONValue) throws(ConfigurationError) -> String? {
        guard let value = json[key], !value.isNull else { return nil }
        return try json.text(key)
    }

    private static func metadata(_ key: String, in json: JSONValue) throws(ConfigurationError) -> JSONObject {
        guard let value = json[key], !value.isNull else { return [:] }
        guard let members = value.object else {
            throw .wrongKind(key: key, found: value.kind, expected: "an object")
        }
        for member in members where member.value.string == nil {
            throw .wrongKind(key: "\(key).\(member.key)", found: member.value.kind, expected: "a string")
        }
        return members
    }
}
