package import PluginKit

/// What can be configured.
package struct TrackerConfiguration: DeclaredConfiguration {
    /// What the application tells of itself; nothing of it is plain initialisation.
    private var information = ApplicationInformation()
    /// The channel, nil for the name of the video.
    package private(set) var channelName: String?
    /// Keys of the content's metadata, which win over what the player tells.
    package private(set) var content: JSONObject = [:]
    /// Keys of each ad's metadata, which win over what the player tells.
    package private(set) var ad: JSONObject = [:]
    /// Numbers of the pings.
    package private(set) var pings = PingConfiguration()
    /// The vendor's page for the user's choice.
    package private(set) var optOutURL = Self.standardOptOutURL
    /// Whether the system's setting opts out.
    package private(set) var isOptedOutBySystem = false
    /// Whether the application is for children.
    package private(set) var isForKids = false
    private var allowsInsecure = false

    /// The application's information, nil when none is given: the instance is then made without it.
    package var application: ApplicationInformation? { information == ApplicationInformation() ? nil : information }

    /// The page of the vendor's published configurations.
    package static let standardOptOutURL = "https://priv-policy.imrworldwide.com/priv/mobile/us/en/optout_legacy.html"

    /// What holds without a configuration.
    package init() {}

    /// `x-instances` is checked where all instances are known: an instance cannot see the others.
    ///
    /// So is `x-needs`: without an App ID nothing is measured.
    package static let remarks: JSONObject = [
        "x-instances": ["maximum": 4, "sharing": "appid"], "x-needs": [["key": "appid"]],
    ]

    /// What can be configured; the defaults of numbers are those of the vendor's published configurations.
    package static let keys = [
        Key(
            "appid",
            \.information.appID,
            .text,
            "The id that Nielsen assigned to the application: a GUID, usually with a `P` in front; without it nothing "
                + "is measured."
        ),
        Key("appname", \.information.name, .text, "Name of the application."),
        Key("appversion", \.information.version, .text, "Version of the application."),
        Key(
            "nol_devDebug",
            \.information.debug,
            .text,
            "`DEBUG` logs calls that a state does not let through; for tests only, to be removed before going live: a "
                + "`warning` record says so."
        ),
        Key("channelName", \.channelName, .text, "The channel, argument of `play`; the name of the video without it."),
        Key("content", \.content, metadata, "Keys of the content's metadata, which win over what the player tells."),
        Key("ad", \.ad, metadata, "Keys of each ad's metadata, which win over what the player tells."),
        Key(
            "clientId",
            \.pings.clientID,
            .text,
            "The client id that Nielsen configured for the App ID: `ci` of the pings."
        ),
        Key(
            "vcid",
            \.pings.vcid,
            .text,
            "The sub-brand that Nielsen configured for the App ID; `subbrand` of the metadata wins."
        ),
        Key("nuid", \.pings.nuid, .text, "Hash that identifies the device; left out when the user is opted out."),
        Key("collectionHost", \.pings.origin, host, "Where pings go."),
        Key(
            "allowInsecure",
            \.allowsInsecure,
            .flag,
            "Whether `http://` is allowed for an address on this machine: for tests."
        ),
        Key("segmentSeconds", \.pings.segmentSeconds, .integer(1...3600), "Length of a segment."),
        Key("segmentsPerPing", \.pings.segmentsPerPing, .integer(1...60), "Segments in a duration ping."),
        Key(
            "creditSeconds",
            \.pings.creditSeconds,
            .integer(1...3600),
            "Viewed seconds that make a segment count as viewed; of a shorter segment all, unless given."
        ),
        Key(
            "pauseTimeoutSeconds",
            \.pings.pauseTimeoutSeconds,
            .integer(1...86_400),
            "A suspension that is longer makes a new stream."
        ),
        Key("optOutURL", \.optOutURL, .text, "The page on which the user chooses."),
        Key("systemOptOut", \.isOptedOutBySystem, .flag, "Whether the system's setting opts the user out."),
        Key(
            "kids",
            \.isForKids,
            .flag,
            "Whether the application is for children: opted out from the start, no device id."
        ),
    ]

    /// The schema shows the default without its scheme.
    private static let host = ConfigurationForm.text.map({ $0 }, back: { String($0.trimmingPrefix("https://")) })

    private static let metadata = ConfigurationForm<[(name: String, value: String)]>.members(of: .text).map(
        { members in members.reduce(into: JSONObject()) { $0[$1.name] = .string($1.value) } },
        back: { _ in nil }
    )

    /// Puts the scheme before the addresses; with http they are refused but for tests.
    package mutating func validate(at _: String) throws(ConfigurationError) {
        let credit = pings.creditSeconds
        guard credit <= pings.segmentSeconds || credit == PingConfiguration().creditSeconds else {
            let expected = "at most segmentSeconds, which is \(pings.segmentSeconds)"
            throw .unusable(key: "creditSeconds", value: "\(credit)", expected: expected)
        }
        pings.origin = try CollectionHost.origin(pings.origin, key: "collectionHost", allowInsecure: allowsInsecure)
        optOutURL = try CollectionHost.address(optOutURL, key: "optOutURL", allowInsecure: allowsInsecure)
    }
}
