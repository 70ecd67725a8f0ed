package import PluginKit

/// Where events are delivered to, and when.
package struct DeliveryConfiguration: DeclaredConfiguration {
    /// Name of the secret that the reporter adds.
    package private(set) var credential = "new-relic"
    /// Whether the reporter is asked to compress.
    package private(set) var wantsGzip = true
    /// When and how large a request may be, for content on demand.
    package private(set) var onDemand = HarvestLimits.onDemand
    /// The same for live streams.
    package private(set) var live = HarvestLimits.live
    /// Events of a request at most.
    package private(set) var maximumEvents = 1000
    private var account: Int64 = 0
    private var region = Region.us
    private var endpoint: String?

    private enum Region: String, CaseIterable {
        case us = "US"
        case eu = "EU"
    }

    /// What holds without a configuration.
    package init() {}

    /// What can be configured.
    package static let keys = [
        Key("accountId", \.account, accountID, required: true, "Number of the account."),
        Key(
            "credential",
            \.credential,
            .nonEmpty,
            "Name of the secret that the reporter sends as the header `Api-Key`; the tracker never sees it."
        ),
        Key(
            "region",
            \.region,
            .word,
            "`US`: `insights-collector.newrelic.com`, `EU`: `insights-collector.eu01.nr-data.net`."
        ),
        Key("endpoint", \.endpoint, .nonEmpty, "Scheme and host of another service."),
        Key("gzip", \.wantsGzip, .flag, "The reporter is asked to compress."),
        Key(
            "harvestSeconds",
            \.onDemand.period,
            .integer(5...300).scaled(by: 1_000_000),
            "How long an event of content on demand waits at most; a cycle is as long."
        ),
        Key("liveHarvestSeconds", \.live.period, .integer(1...60).scaled(by: 1_000_000), "The same for live streams."),
        Key(
            "harvestBytes",
            \.onDemand.bytes,
            .integer(1024...requestBytes),
            "Bytes of a request; an event that alone has more goes alone."
        ),
        Key("liveHarvestBytes", \.live.bytes, .integer(1024...requestBytes), "The same for live streams."),
        Key("maximumEvents", \.maximumEvents, .integer(1...2000), "Events of a request; the vendor names no number."),
    ]

    private static let accountID = ConfigurationForm.integer(1...Int64.max).asked(for: "the number of the account")

    /// Address that requests go to.
    package var url: String {
        let host = region == .eu ? "insights-collector.eu01.nr-data.net" : "insights-collector.newrelic.com"
        return "\(endpoint ?? "https://\(host)")/v1/accounts/\(account)/events"
    }

    /// Bytes that the Event API takes in one request.
    private static let requestBytes = 1_000_000
}

/// When a batch is sent: after a time, or when it has so many bytes.
package struct HarvestLimits: Sendable {
    /// How long an event waits at most, us.
    package internal(set) var period: Int64
    /// Bytes of a request.
    package internal(set) var bytes: Int

    /// Generation B's times without a configured delivery.
    package static let onDemand = HarvestLimits(period: 300_000_000, bytes: 65_536)
    /// The same for live streams.
    package static let live = HarvestLimits(period: 30_000_000, bytes: 32_768)
}
