import NewRelicVideo
import PluginKit
import Tally
import TallyTesting
import Testing

/// Another configuration in mid-run.
@Suite struct ReconfigurationTests {
    private static let file = PluginSource.file(PluginFiles.plugin("new-relic-video"))

    private static func record(
        _ configuration: JSONValue,
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> (run: RecordedRun, selection: PluginSelection) {
        let selection = PluginSelection("com.newrelic.video", name: "newrelic", configuration: configuration)
        let run = try VirtualRun(plugins: [selection], sources: [file]).record { player, run, clock in
            for action: PlayerAction in [.load, .play, .firstFrame] {
                player.perform(action, on: run)
                run.pump()
            }
            try body(player, run, clock)
        }
        return (run, selection)
    }

    @Test("Attributes, rules, rows, heartbeat and name hold from then on; what commands have set stays")
    func taken() throws {
        let before: JSONValue = [
            "userId": "one", "attributes": ["plan": "gold", "old": 1],
            "timeSince": [["action": "CONTENT_START", "attribute": "timeSinceMyStart"]],
        ]
        let after: JSONValue = [
            "userId": "two", "attributes": ["plan": "silver"], "trackerName": "renamed", "heartbeatSeconds": 5,
            "timeSince": [
                ["action": "CONTENT_PAUSE", "attribute": "timeSinceMyPause"],
                ["action": "CONTENT_START", "attribute": "timeSinceMyStart"],
            ],
            "rules": [["actions": "CONTENT_RESUME", "drop": true]],
        ]
        let (run, selection) = try Self.record(before) { player, run, clock in
            _ = try run.command(plugin: "newrelic", "setGlobalAttribute", ["name": "seat", "value": 12])
            clock.advance(to: 2_000_000)
            try run.configure(plugin: "newrelic", after)
            clock.advance(to: 3_000_000)
            player.perform(.pause, on: run)
            run.pump()
            clock.advance(to: 4_000_000)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 7_500_000)
            run.pump()
            player.perform(.unload, on: run)
        }
        let lines = run.live.lines
        #expect(
            lines.map(\.kind) == [
                "TRACKER_READY", "CONTENT_REQUEST", "CONTENT_START", "CONTENT_PAUSE", "CONTENT_HEARTBEAT",
                "CONTENT_END",
            ]
        )
        let pause = try #require(lines.first { $0.kind == "CONTENT_PAUSE" }).attributes
        #expect(pause["enduser.id"] == .string("two"))
        #expect(pause["plan"] == .string("silver"))
        #expect(pause["old"] == nil)
        #expect(pause["seat"] == .int(12))
        #expect(pause["trackerName"] == .string("renamed"))
        #expect(pause["timeSinceMyStart"] == .int(3_000))
        #expect(lines.last?.attributes["timeSinceMyPause"] == .int(4_500))
        #expect(lines.first { $0.kind == "CONTENT_HEARTBEAT" }?.time == 7_000_000)
        let replay = try run.replay(through: [selection], from: [Self.file], asRecorded: true)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("What waits is sent to where it was to go; counts go on")
    func delivery() throws {
        let (run, _) = try Self.record(["delivery": ["accountId": 1]]) { player, run, clock in
            clock.advance(to: 1_000_000)
            try run.configure(plugin: "newrelic", ["delivery": ["accountId": 2, "region": "EU"]])
            player.perform(.pause, on: run)
            run.pump()
            let counts = try run.command(plugin: "newrelic", "delivery")
            #expect(counts["requests"] == 1 && counts["events"] == 3)
            player.perform(.unload, on: run)
        }
        let beacons = run.live.lines.filter { $0.kind == "beacon" }.map(\.text)
        #expect(beacons.count == 2)
        #expect(beacons.first?.contains("insights-collector.newrelic.com/v1/accounts/1/events") == true)
        #expect(beacons.last?.contains("insights-collector.eu01.nr-data.net/v1/accounts/2/events") == true)
    }

    @Test(
        "What the trackers are is refused with its key, and nothing changes",
        arguments: [
            ["generation": "B"], ["platform": "android"], ["trackers": "pair"], ["heartbeatSeconds": "often"],
        ] as [JSONValue]
    )
    func refused(configuration: JSONValue) throws {
        let (run, _) = try Self.record(["userId": "one"]) { player, run, _ in
            #expect(throws: ControlError.self) { try run.configure(plugin: "newrelic", configuration) }
            player.perform(.pause, on: run)
            run.pump()
        }
        #expect(run.live.lines.last?.attributes["enduser.id"] == .string("one"))
    }
}
