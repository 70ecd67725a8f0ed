import Tally
import TallyTesting
import Testing

/// A newer file takes a tracker's place in mid-session: what it says stays the same.
@Suite struct ReplacedTrackerTests {
    /// A point of a scenario at which the file is replaced.
    private struct Step {
        let milliseconds: Int64
        let action: PlayerAction?

        static func at(_ milliseconds: Int64, _ action: PlayerAction) -> Step {
            Step(milliseconds: milliseconds, action: action)
        }

        static func replace(_ milliseconds: Int64) -> Step {
            Step(milliseconds: milliseconds, action: nil)
        }
    }

    private static func record(
        _ selections: [PluginSelection],
        _ file: String,
        _ steps: [Step],
        replacing: Bool
    ) throws -> OutputTranscript {
        let copies = try FileCopies(of: file)
        let sources: [PluginSource] = [.file(PluginFiles.plugin(file))]
        return try VirtualRun(plugins: selections, sources: sources).record { player, run, clock in
            for step in steps {
                clock.advance(to: step.milliseconds * 1000)
                run.pump()
                if let action = step.action {
                    player.perform(action, on: run)
                } else if replacing {
                    let replaced = try run.telemetry.replace(file: copies.next())
                    #expect(!replaced.isEmpty)
                }
                run.pump()
            }
        }.live
    }

    /// Records both ways and compares; gives what was said.
    private static func compare(_ selection: PluginSelection, _ file: String, _ steps: [Step]) throws -> [String] {
        let plain = try record([selection], file, steps, replacing: false)
        let replaced = try record([selection], file, steps, replacing: true)
        #expect(OutputTranscript.difference(plain, replaced) == nil)
        #expect(replaced.events.contains { $0.contains("plugin_replaced") })
        return replaced.lines.filter { $0.kind != "beacon" }.map(\.kind)
    }

    private static func selection(_ name: String) throws -> PluginSelection {
        try #require(Trackers.selections.first { $0.name == name })
    }

    @Test(
        "adobe-heartbeat, replaced in an ad, a chapter, a seek and a pause, goes on with its session and its counters"
    )
    func heartbeat() throws {
        let kinds = try Self.compare(
            try Self.selection("adobe131"),
            "adobe-heartbeat",
            [
                .at(0, .load), .at(0, .play), .at(1_200, .firstFrame), .at(2_000, .chapterStart(1)), .replace(2_500),
                .at(3_000, .adBreakStart), .at(3_000, .adStart(1)), .replace(5_000), .at(12_500, .quality),
                .replace(13_000), .at(15_000, .adComplete), .at(15_000, .adBreakComplete),
                .at(16_000, .seekStart(to: 100)), .replace(16_100), .at(17_000, .seekComplete), .at(18_000, .pause),
                .replace(20_000), .at(25_000, .play), .at(40_000, .chapterComplete), .replace(41_700),
                .at(47_000, .complete), .replace(48_000), .at(50_000, .unload),
            ]
        )
        #expect(kinds.count { $0 == "load" } == 1 && kinds.last == "unload" && kinds.count > 15)
    }

    @Test("adobe-heartbeat, replaced while its load waits for the length, opens the session at the load")
    func heldLoad() throws {
        let kinds = try Self.compare(
            try Self.selection("adobe"),
            "adobe-heartbeat",
            [
                .at(0, .show(.length(nil))), .at(0, .load), .at(100, .play), .at(200, .adStart(1)), .replace(1_000),
                .at(2_000, .show(.length(600))), .at(2_000, .metadata(name: "film")), .at(2_500, .adComplete),
                .at(6_300, .complete), .at(6_400, .unload),
            ]
        )
        #expect(kinds.first == "load" && kinds.last == "unload")
    }

    @Test("adobe-heartbeat, replaced in the error state, stays in it until the next load")
    func errorState() throws {
        let kinds = try Self.compare(
            try Self.selection("adobe"),
            "adobe-heartbeat",
            [
                .at(0, .show(.assetID(nil))), .at(0, .load), .replace(100), .at(200, .play), .at(300, .unload),
                .at(400, .show(.assetID("asset-2"))), .at(400, .load), .at(500, .unload),
            ]
        )
        #expect(kinds == ["tracker_error", "load", "unload"])
    }

    @Test("adobe-analytics, replaced while a hit waits and between two, opens each viewing once")
    func analytics() throws {
        let kinds = try Self.compare(
            try Self.selection("analytics"),
            "adobe-analytics",
            [
                .at(0, .show(.length(nil))), .at(0, .load), .replace(1_000), .at(2_000, .show(.length(600))),
                .at(2_000, .metadata(name: "film")), .replace(3_000), .at(4_000, .adBreakStart),
                .at(4_000, .adStart(1)), .replace(4_500),
                .at(5_000, .adComplete), .at(5_000, .adBreakComplete), .at(9_000, .complete), .at(9_000, .unload),
            ]
        )
        #expect(kinds == ["video_start", "ad_start"])
    }

    @Test("adobe-analytics, replaced while hits gather for a batch, loses none")
    func batch() throws {
        var selection = try Self.selection("analytics")
        selection.configuration = [
            "ADBMobileConfig": [
                "analytics": ["rsids": "a", "server": "b.example", "offlineEnabled": true, "batchLimit": 3]
            ]
        ]
        let kinds = try Self.compare(
            selection,
            "adobe-analytics",
            [
                .at(0, .load), .at(0, .play), .replace(1_000), .at(4_000, .adBreakStart), .at(4_000, .adStart(1)),
                .at(5_000, .adComplete), .replace(5_500), .at(6_000, .adStart(2)), .at(7_000, .adComplete),
                .at(8_000, .adBreakComplete), .at(9_000, .unload),
            ]
        )
        #expect(kinds == ["video_start", "ad_start", "ad_start"])
    }

    @Test("nielsen-dcr, replaced in a second, an ad, a pause and an interruption, goes on counting")
    func nielsen() throws {
        let kinds = try Self.compare(
            try Self.selection("nielsen"),
            "nielsen-dcr",
            [
                .at(0, .applicationLaunched), .replace(10), .at(20, .load), .at(50, .play), .at(100, .adBreakStart),
                .at(100, .adStart(1)), .replace(2_450), .at(4_000, .adComplete), .at(4_000, .adBreakComplete),
                .at(4_200, .firstFrame), .replace(6_900), .at(9_000, .bufferStart(.stall)), .replace(9_300),
                .at(9_800, .bufferComplete), .at(12_000, .pause), .replace(13_000), .at(15_000, .play),
                .at(17_000, .interruptionStart("call")), .replace(18_000), .at(19_000, .interruptionEnd),
                .replace(20_500), .at(30_000, .complete), .replace(31_000), .at(32_000, .unload),
                .at(33_000, .applicationTerminated(33)),
            ]
        )
        #expect(kinds.count { $0 == "loadMetadata" } == 3 && kinds.count { $0 == "end" } == 1)
        #expect(kinds.count { $0 == "playheadPosition" } > 20 && kinds.count { $0 == "event" } == 2)
    }
}
