import Glibc
import Tally
import TallyTesting
import Testing

/// A tracker that takes another's place says the same as one that was never replaced.
@Suite struct ReplacedByReplayTests {
    /// A tracker as it is configured in these tests.
    struct Replaced: CustomStringConvertible, Sendable {
        let plugin: String
        let id: String
        var configuration: JSONValue = [:]
        let description: String
    }

    private static let trackers: [Replaced] = [
        Replaced(
            plugin: "mux-data",
            id: "com.mux.data",
            configuration: ["environmentKey": "hex", "customerVideoData": ["videoSeries": "Series"]],
            description: "Mux Data"
        ),
        Replaced(
            plugin: "new-relic-video",
            id: "com.newrelic.video",
            configuration: ["userId": "viewer-1", "attributes": ["plan": "gold"]],
            description: "New Relic"
        ),
        Replaced(
            plugin: "new-relic-video",
            id: "com.newrelic.video",
            configuration: [
                "generation": "B", "heartbeatSeconds": 7, "trackers": "pair", "qoeAggregateHarvests": 1,
                "delivery": ["accountId": 1, "harvestSeconds": 20],
                "timeSince": [["action": "CONTENT_PAUSE", "attribute": "timeSinceMyPause", "actions": "AD_.*"]],
            ],
            description: "New Relic, generation B, that delivers"
        ),
    ]

    /// What an application does with a tracker meanwhile, by the number of the action before it.
    private static let commands: [Int: (String, JSONValue)] = [
        5: ("startTracker", ["trackers": "auto"]),
        8: ("setAttribute", ["id": 1, "name": "seat", "value": 12, "actions": "CONTENT_[A-Z_]+"]),
        11: ("setGlobalAttribute", ["name": "plan", "value": "silver"]),
        14: ("addTimeSinceEntry", ["action": "NOTE", "attribute": "timeSinceNote", "actions": ".*"]),
        15: ("sendEvent", ["action": "NOTE", "attributes": ["a": 1.5]]),
        30: ("setHeartbeatTime", ["seconds": 4]),
        45: ("releaseTracker", ["id": 0]),
    ]

    /// Trackers that are not configured anew here.
    private static let others: [Replaced] = [
        Replaced(
            plugin: "adobe-heartbeat",
            id: "com.adobe.heartbeat",
            configuration: heartbeat(["trackingInterval": 3]),
            description: "Adobe heartbeat 1.4"
        ),
        Replaced(
            plugin: "adobe-heartbeat",
            id: "com.adobe.heartbeat",
            configuration: heartbeat(["compatibility": "1.3.1"]),
            description: "Adobe heartbeat 1.3.1"
        ),
        Replaced(
            plugin: "adobe-analytics",
            id: "com.adobe.analytics",
            configuration: ["ADBMobileConfig": settings],
            description: "Adobe Analytics"
        ),
        Replaced(
            plugin: "nielsen-dcr",
            id: "com.nielsen.dcr",
            configuration: ["appid": "P10DF14BA-937E-436D-99DF-ED39A0422387", "segmentSeconds": 2],
            description: "Nielsen DCR"
        ),
    ]

    private static let settings: JSONValue = ["analytics": ["rsids": "suite", "server": "metrics.example.com"]]

    private static func heartbeat(_ more: JSONObject) -> JSONValue {
        var members: JSONObject = [
            "trackingServer": "heartbeats.example.com", "jobId": "j2", "publisher": "tally",
            "ADBMobileConfig": settings,
        ]
        for member in more { members[member.key] = member.value }
        return .object(members)
    }

    /// What a tracker says to a course of actions, replaced after each so many of them (0: never).
    private static func said(
        _ tracker: Replaced,
        seed: UInt64,
        replacing period: Int,
        configuring: JSONValue? = nil
    ) throws -> (lines: [String], replaced: Int) {
        let folder = PluginFolder()
        let bytes = try TestFile.bytes(PluginFiles.plugin(tracker.plugin))
        // What lies behind the end of a library is not looked at, and makes its hash another one.
        let files = (0..<2).map { number in
            folder.write(bytes + Array("\(number)".utf8), to: "\(tracker.plugin)-\(number).tallyplugin.so")
        }
        let run = try ControlledRun(
            [PluginSelection(tracker.id, name: "replaced", configuration: tracker.configuration)],
            files: [files[0]]
        )
        let sequence = ActionSequence(seed: seed, count: 60, legal: 85, longestWait: 20_000_000)
        for (index, step) in sequence.steps.enumerated() {
            run.perform(step.action, after: step.wait / 1000)
            if tracker.plugin == "new-relic-video", let (command, arguments) = Self.commands[index] {
                _ = try run.run.command(plugin: "replaced", command, arguments)
            }
            if index == 20, let configuring { try run.run.configure(plugin: "replaced", configuring) }
            if period > 0, index % period == period - 1 {
                try run.telemetry.replace(file: files[(index / period + 1) % 2])
            }
        }
        let recorded = run.end()
        let replayed = try run.replayAsRecorded(recorded.archive)
        #expect(OutputTranscript.difference(recorded.live, replayed) == nil, "seed \(seed): replay as recorded")
        return (
            recorded.live.lines(of: "replaced"), recorded.live.events.count { $0.contains("plugin_replaced") }
        )
    }

    private static func compare(_ tracker: Replaced, seed: UInt64, period: Int, configuring: JSONValue? = nil) throws {
        let whole = try said(tracker, seed: seed, replacing: 0, configuring: configuring)
        let replaced = try said(tracker, seed: seed, replacing: period, configuring: configuring)
        #expect(replaced.replaced == 60 / period, "seed \(seed): the replacements did not happen")
        for index in 0..<max(whole.lines.count, replaced.lines.count) {
            let expected = index < whole.lines.count ? whole.lines[index] : "nothing"
            let found = index < replaced.lines.count ? replaced.lines[index] : "nothing"
            guard expected != found else { continue }
            Issue.record("seed \(seed), line \(index + 1):\n  without \(expected)\n  with    \(found)")
            return
        }
    }

    /// One seed replaces after every third action and one after every seventh; `TALLY_SEQUENCES` makes them as many as it
    /// says, and the first replaces after each action then.
    private static let seeds: UInt64 =
        unsafe getenv("TALLY_SEQUENCES").flatMap { unsafe UInt64(String(cString: $0)) } ?? 2

    @Test(
        "Replaced in mid-session through the real file, it says what it says without, to the byte",
        arguments: trackers + others,
        1...seeds
    )
    func identical(tracker: Replaced, seed: UInt64) throws {
        try Self.compare(tracker, seed: seed, period: seed % 2 == 0 ? 7 : Self.seeds > 2 ? 1 : 3)
    }

    @Test("The one that takes a place is configured as the one before was last", arguments: trackers)
    func configuration(tracker: Replaced) throws {
        var members = tracker.configuration.object ?? [:]
        if tracker.plugin == "mux-data" {
            members["customData"] = ["custom1": "gold"]
        } else {
            members["userId"] = "viewer-9"
            members["heartbeatSeconds"] = 11
            members["timeSince"] = [["action": "CONTENT_START", "attribute": "timeSinceMyStart"]]
            members["rules"] = [["actions": ".*_HEARTBEAT", "set": ["beat": 1]]]
        }
        try Self.compare(tracker, seed: 77, period: 3, configuring: .object(members))
    }
}
