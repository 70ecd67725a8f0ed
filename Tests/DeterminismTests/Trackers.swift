import AdobeAnalytics
import AdobeHeartbeat
import MuxData
import NewRelicCustomTracker
import NewRelicVideo
import NielsenDCR
import PluginABI
import PluginKit
import SwiftTracker
import Tally
import TallyTesting

/// The trackers that the suite runs: all that exist, and the one that tells everything it can observe.
enum Trackers {
    /// One of each, under names of their own.
    static let selections: [PluginSelection] = [
        PluginSelection(
            "org.tally.fixture.witness",
            name: "witness",
            configuration: ["timers": 5, "seed": 7]
        ),
        PluginSelection("com.newrelic.video", name: "newrelic", configuration: ["heartbeatSeconds": 1]),
        PluginSelection(
            "com.nielsen.dcr",
            name: "nielsen",
            configuration: ["appid": "P10DF14BA-937E-436D-99DF-ED39A0422387", "segmentSeconds": 1]
        ),
        PluginSelection("com.mux.data", name: "mux", configuration: ["environmentKey": "abc123"]),
        PluginSelection("com.adobe.heartbeat", name: "adobe", configuration: adobe(["trackingInterval": 1])),
        PluginSelection(
            "com.adobe.heartbeat",
            name: "adobe131",
            configuration: adobe(["compatibility": "1.3.1", "debugLogging": true])
        ),
        PluginSelection("com.adobe.analytics", name: "analytics", configuration: ["ADBMobileConfig": adobeSettings]),
        PluginSelection(
            "com.newrelic.video",
            name: "newrelic-b",
            configuration: [
                "generation": "B", "trackers": "pair", "heartbeatSeconds": 1, "attributesForActions": [],
                "delivery": ["accountId": 1, "harvestSeconds": 5, "maximumEvents": 7],
            ]
        ),
        PluginSelection("org.tally.example.new-relic-custom", name: "custom", configuration: ["heartbeatSeconds": 2]),
        PluginSelection("org.tally.example.c", name: "c", configuration: ["interval_seconds": 1]),
        PluginSelection("org.tally.example.swift", name: "swift"),
        PluginSelection(
            "org.tally.fixture.witness",
            name: "second",
            configuration: ["timers": 2, "seed": 9]
        ),
    ]

    /// Those of the five vendors.
    static let vendors = selections.filter { selection in
        ["com.newrelic.", "com.nielsen.", "com.mux.", "com.adobe."].contains { selection.plugin.hasPrefix($0) }
    }

    /// All of them with timers that fire often, for runs of less than a second.
    static let restless: [PluginSelection] = selections.map { selection in
        guard selection.plugin == "org.tally.fixture.witness" else { return selection }
        var restless = selection
        restless.configuration = ["timers": 6, "seed": 5, "span_us": 150_000]
        return restless
    }

    /// Their libraries, as a host loads them.
    static let files: [PluginSource] = [
        .file(PluginFiles.fixture("witness")),
        .file(PluginFiles.plugin("new-relic-video")),
        .file(PluginFiles.plugin("nielsen-dcr")),
        .file(PluginFiles.plugin("mux-data")),
        .file(PluginFiles.plugin("adobe-heartbeat")),
        .file(PluginFiles.plugin("adobe-analytics")),
        .file(PluginFiles.plugin("example-new-relic-custom")),
        .file(PluginFiles.plugin("example-c")),
        .file(PluginFiles.plugin("example-swift")),
    ]

    /// The same, but those written in Swift are linked in.
    static let linked: [PluginSource] = unsafe [
        .file(PluginFiles.fixture("witness")),
        .linked { unsafe newRelic.entry },
        unsafe .linked { unsafe nielsen.entry },
        .linked { unsafe mux.entry },
        unsafe .linked { unsafe adobeHeartbeat.entry },
        unsafe .linked { unsafe adobeAnalytics.entry },
        unsafe .linked { unsafe custom.entry },
        .file(PluginFiles.plugin("example-c")),
        unsafe .linked { unsafe swiftExample.entry },
    ]

    private static let adobeSettings: JSONValue = ["analytics": ["rsids": "suite", "server": "metrics.example.com"]]

    private static func adobe(_ more: JSONObject) -> JSONValue {
        var members: JSONObject = [
            "trackingServer": "heartbeats.example.com", "jobId": "j2", "publisher": "tally",
            "ADBMobileConfig": adobeSettings,
        ]
        for member in more {
            members[member.key] = member.value
        }
        return .object(members)
    }

    private static let adobeHeartbeat = PluginLibrary(trackers: [AdobeHeartbeatTracker.self])
    private static let adobeAnalytics = PluginLibrary(trackers: [AdobeAnalyticsTracker.self])
    private static let newRelic = PluginLibrary(trackers: [NewRelicVideoTracker.self])
    private static let nielsen = PluginLibrary(trackers: [NielsenDCRTracker.self])
    private static let mux = PluginLibrary(trackers: [MuxDataTracker.self])
    private static let custom = PluginLibrary(trackers: [AudioBookTracker.self])
    private static let swiftExample = PluginLibrary(trackers: [WatchTimeTracker.self])
}
