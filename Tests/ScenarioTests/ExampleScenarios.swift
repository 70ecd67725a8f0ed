import Tally
import TallyTesting

/// What the example trackers say.
enum ExampleScenarios {
    private static let inCTracker = PluginSelection(
        "org.tally.example.c",
        name: "c",
        configuration: ["interval_seconds": 10]
    )
    private static let inSwiftTracker = PluginSelection("org.tally.example.swift", name: "swift")

    static let inC: [Scenario] = [
        Scenario(
            "The tracker in C counts play time, stalls and seeks",
            tracker: inCTracker,
            steps: [
                .at(0, .load), .at(100, .play), .at(200, .firstFrame), .at(4_200, .pause), .at(5_200, .play),
                .at(6_200, .bufferStart(.stall)), .at(7_200, .bufferComplete), .at(8_200, .complete),
                .at(8_300, .unload),
            ],
            expected: [
                .at(200, "started"), .at(4_200, "paused"), .at(5_200, "resumed"), .at(6_200, "stalled"),
                .at(7_200, "recovered"), .at(8_200, "ended"), .at(8_300, "summary", ["stalls": .int(1)]),
            ]
        )
    ]

    static let inSwift: [Scenario] = [
        Scenario(
            "The tracker in Swift measures watch time",
            tracker: inSwiftTracker,
            steps: [
                .at(0, .load), .at(0, .play), .at(1_000, .firstFrame), .at(5_000, .pause), .at(6_000, .play),
                .at(8_000, .complete), .at(8_000, .unload),
            ],
            expected: [
                .at(5_000, "watch_time", ["cause": .string("pause"), "watched_ms": .int(4_000)]),
                .at(8_000, "watch_time", ["cause": .string("complete"), "watched_ms": .int(6_000)]),
                .at(8_000, "watch_time", ["cause": .string("end"), "watched_ms": .int(6_000)]),
                .at(8_000, "beacon"),
            ]
        )
    ]
}
