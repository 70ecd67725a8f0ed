package import PluginKit

/// Where events are delivered to, and when.
package struct DeliveryConfiguration: Sendable {
    /// Address that requests go to.
    package let url: String
    /// Name of the secret that the reporter adds.
    package let credential: String
    /// Whether the reporter is asked to compress.
    package let wantsGzip: Bool
    /// When and how large a request may be, for content on demand.
    package let onDemand: HarvestLimits
    /// The same for live streams.
    package let live: HarvestLimits
    /// Events of a request at most.
    package let maximumEvents: Int

    /// Reads the configuration.
    package init(_ json: JSONValue) throws(ConfigurationError) {
        guard json.object != nil else {
            throw .wrongKind(key: "delivery", found: json.kind, expected: "an object")
        }
        let account = try json.integer("accountId", in: 0...Int64.max, default: 0)
        guard account > 0 else { throw .missing(key: "delivery.accountId", expected: "the number of the account") }
        credential = try TrackerConfiguration.nonEmpty("credential", in: json) ?? "new-relic"
        let region = try json.choice("region", of: ["US", "EU"], default: "US")
        let host = region == "EU" ? "insights-collector.eu01.nr-data.net" : "insights-collector.newrelic.com"
        let endpoint = try TrackerConfiguration.nonEmpty("endpoint", in: json) ?? "https://\(host)"
        url = "\(endpoint)/v1/accounts/\(account)/events"
        wantsGzip = try json.flag("gzip", default: true)
        onDemand = HarvestLimits(
            period: try json.integer("harvestSeconds", in: 5...300, default: 300) * 1_000_000,
            bytes: Int(try json.integer("harvestBytes", in: 1024...Self.requestBytes, default: 65_536))
        )
        live = HarvestLimits(
            period: try json.integer("liveHarvestSeconds", in: 1...60, default: 30) * 1_000_000,
            bytes: Int(try json.integer("liveHarvestBytes", in: 1024...Self.requestBytes, default: 32_768))
        )
        maximumEvents = Int(try json.integer("maximumEvents", in: 1...2000, default: 1000))
    }

    /// Bytes that the Event API takes in one request.
    private static let requestBytes: Int64 = 1_000_000
}

/// When a batch is sent: after a time, or when it has so many bytes.
package struct HarvestLimits: Sendable {
    /// How long an event waits at most, us.
    package let period: Int64
    /// Bytes of a request.
    package let bytes: Int

    /// Generation B's times without a configured delivery.
    package static let onDemand = HarvestLimits(period: 300_000_000, bytes: 65_536)
    /// The same for live streams.
    package static let live = HarvestLimits(period: 30_000_000, bytes: 32_768)
}
