import Coordinator
import Tally
import TallyTesting
import Testing

/// A tracker whose state is carried over says the same as one that was never replaced.
@Suite struct CarriedStateTests {
    /// A tracker as it is configured in these tests.
    struct Carried: CustomStringConvertible, Sendable {
        let plugin: String
        let id: String
        var configuration: JSONValue = [:]
        let description: String
    }

    private static let trackers: [Carried] = [
        Carried(
            plugin: "mux-data",
            id: "com.mux.data",
            configuration: ["environmentKey": "hex", "customerVideoData": ["videoSeries": "Series"]],
            description: "Mux Data"
        )
    ]

    /// What a tracker says to a course of actions, replaced after each so many of them (0: never).
    private static func said(
        _ tracker: Carried,
        seed: UInt64,
        replacing period: Int,
        configuring: JSONValue? = nil
    ) throws -> (lines: [String], replaced: Int) {
        let folder = try PluginFolder()
        let bytes = try PluginFolder.bytes(of: PluginFiles.plugin(tracker.plugin))
        // What lies behind the end of a library is not looked at, and makes its hash another one.
        let files = try (0..<2).map { number in
            try folder.write(bytes + Array("\(number)".utf8), to: "\(tracker.plugin)-\(number).tallyplugin.so")
        }
        let run = try ControlledRun(
            [PluginSelection(tracker.id, name: "carried", configuration: tracker.configuration)],
            files: [files[0]]
        )
        let sequence = ActionSequence(seed: seed, count: 60, legal: 85, longestWait: 20_000_000)
        for (index, step) in sequence.steps.enumerated() {
            run.perform(step.action, after: step.wait / 1000)
            if index == 20, let configuring { try run.run.configure(plugin: "carried", configuring) }
            if period > 0, index % period == period - 1 {
                try run.telemetry.replace(file: files[(index / period + 1) % 2])
            }
        }
        let recorded = run.end()
        let replayed = try run.replayAsRecorded(recorded.archive)
        #expect(OutputTranscript.difference(recorded.live, replayed) == nil, "seed \(seed): replay as recorded")
        return (
            recorded.live.lines(of: "carried"), recorded.live.events.count { $0.contains("plugin_replaced") }
        )
    }

    private static func compare(_ tracker: Carried, seed: UInt64, period: Int, configuring: JSONValue? = nil) throws {
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

    @Test(
        "Replaced in mid-session through the real file, it says what it says without, to the byte",
        arguments: trackers,
        1...8 as ClosedRange<UInt64>
    )
    func identical(tracker: Carried, seed: UInt64) throws {
        try Self.compare(tracker, seed: seed, period: seed % 2 == 0 ? 7 : 1)
    }

    @Test("The one that takes a place is configured as the one before was last", arguments: trackers)
    func configuration(tracker: Carried) throws {
        var members = tracker.configuration.object ?? [:]
        members["customData"] = tracker.plugin == "mux-data" ? ["custom1": "gold"] : nil
        members["userId"] = tracker.plugin == "mux-data" ? nil : "viewer-9"
        try Self.compare(tracker, seed: 77, period: 3, configuring: .object(members))
    }
}
