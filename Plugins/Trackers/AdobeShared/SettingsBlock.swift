package import PluginKit

/// The Analytics settings as the vendor's file has them (Adobe VHL 1.3.1, "Initialize / Configure";
/// ADBMobileConfig.json).
///
/// The host reads the file once and hands it over as a member of the tracker's configuration, so that an archive holds
/// it.
package struct SettingsBlock: Sendable, Equatable {
    /// The file's name, which is also the block's name.
    package static let fileName = "ADBMobileConfig.json"
    /// Where it has to lie, below the folder of the host's configuration (Adobe VHL 1.3.1, "Configuration Data").
    package static let path = "AdobeMobile/ADBMobileConfig.json"
    /// The configuration's member that the host puts the file's content into.
    package static let key = "ADBMobileConfig"

    /// What happens to hits as long as the viewer has decided nothing.
    package enum Privacy: String, Sendable, CaseIterable {
        /// Hits are sent.
        case optedIn = "optedin"
        /// Hits are discarded.
        case optedOut = "optedout"
        /// Hits are held.
        case unknown = "optunknown"
    }

    /// Report suites; the guides' account.
    package var reportSuites: [String] = []
    /// Host of the Analytics end-point, without a protocol; the guides' trackingServer.
    package var server = ""
    /// Character set that hits name.
    package var charset = "UTF-8"
    /// Whether requests are made over TLS; the heartbeat's too.
    package var usesTLS = false
    /// Whether hits that are made without a network are kept.
    package var keepsOffline = false
    /// Seconds that the application may be away without a new life-cycle session.
    package var lifecycleTimeout: Int64 = 300
    /// How many hits gather before they are sent, one after another; 0 sends each at once.
    package var batchLimit: Int64 = 0
    /// What happens to hits before the viewer has decided.
    package var privacy = Privacy.optedIn
    /// Whether the Analytics server forwards hits to Audience Manager.
    package var forwardsToAudienceManager = false
    /// Keys that no version of the file that is known has; they are kept and have no effect.
    package var unknownKeys: [String] = []

    /// The file's content as it was handed over.
    package var source: JSONValue = .null

    /// The settings of a file that says nothing.
    package init() {}

    /// The form of the configuration's member; it refuses what ``init(configuration:)`` refuses.
    package static let form = ConfigurationForm<SettingsBlock>(["type": "object"], expected: "an object") {
        block,
        _ throws(ConfigurationError) in
        try SettingsBlock(configuration: [key: block]) ?? SettingsBlock()
    }

    /// Reads the block of a tracker's configuration; nil when the host handed none over.
    ///
    /// Throws for a value of the wrong kind, with the file, the key and what is expected.
    package init?(configuration: JSONValue) throws(ConfigurationError) {
        guard let block = configuration[Self.key], !block.isNull else { return nil }
        guard let members = block.object else {
            throw .wrongKind(key: Self.fileName, found: block.kind, expected: "an object")
        }
        source = block
        unknownKeys = SettingsKeys.unknown(in: members)
        let analytics = try SettingsSection("analytics", of: block)
        reportSuites = try analytics.text("rsids").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        server = HostName.withoutProtocol(try analytics.text("server"))
        charset = try analytics.text("charset", default: "UTF-8")
        usesTLS = try analytics.flag("ssl")
        keepsOffline = try analytics.flag("offlineEnabled")
        lifecycleTimeout = try analytics.number("lifecycleTimeout", default: 300)
        batchLimit = try analytics.number("batchLimit", default: 0)
        privacy = try analytics.privacy()
        try analytics.checkPointsOfInterest()
        let target = try SettingsSection("target", of: block)
        _ = try target.text("clientCode")
        _ = try target.number("timeout", default: 5)
        let audience = try SettingsSection("audienceManager", of: block)
        _ = try audience.text("server")
        forwardsToAudienceManager = try audience.flag("analyticsForwardingEnabled")
    }
}
