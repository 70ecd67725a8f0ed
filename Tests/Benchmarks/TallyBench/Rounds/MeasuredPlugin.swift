internal import Tally

/// A tracker that replays are measured with, and its configuration.
enum MeasuredPlugin: String, CaseIterable {
    case none
    case exampleC = "example-c"
    case newRelicVideo = "new-relic-video"
    case newRelicDelivery = "new-relic-delivery"
    case nielsenDCR = "nielsen-dcr"
    case muxData = "mux-data"
    case adobeHeartbeat = "adobe-heartbeat"
    case adobeAnalytics = "adobe-analytics"

    /// The instances of a replay, the one that discards included.
    var selections: [PluginSelection] {
        guard self != .none else { return [] }
        return [PluginSelection(plugin, configuration: configuration), PluginSelection("discard")]
    }

    private var plugin: String {
        self == .newRelicDelivery ? Self.newRelicVideo.rawValue : rawValue
    }

    private var configuration: JSONValue {
        switch self {
        case .adobeHeartbeat:
            [
                "trackingServer": "heartbeats.example.com", "jobId": "j2", "publisher": "example",
                "ADBMobileConfig": Self.settings,
            ]
        // An account, and a key that the reporter would know: events are gathered into requests, gzip is asked for.
        case .newRelicDelivery: ["delivery": ["accountId": 1_234_567, "credential": "new-relic"]]
        case .nielsenDCR: ["appid": "P10DF14BA-937E-436D-99DF-ED39A0422387"]
        case .muxData: ["environmentKey": "abc123"]
        case .adobeAnalytics: ["ADBMobileConfig": Self.settings]
        default: [:]
        }
    }

    /// What Adobe calls the settings file of an application.
    static let settings: JSONValue = ["analytics": ["rsids": "suite", "server": "metrics.example.com"]]
}
