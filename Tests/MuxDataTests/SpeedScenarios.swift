import EventModel
import Tally
import TallyTesting

/// How much of the content counts as played at each speed, and with reports that come seldom.
enum SpeedScenarios {
    static let all: [Scenario] = [
        fast, slow, seldomReports, fastLiveUntold, jump, jumpUntold, standing, standingFromTheBegin,
    ]

    private static func pause(_ time: Int64, played: Int64) -> Scenario.Expected {
        .at(
            time,
            "pause",
            [
                "view_content_playback_time": .int(played), "view_max_playhead_position": .int(played),
                "view_playing_time": .int(time),
            ],
            lacks: ["view_rebuffer_count"]
        )
    }

    static let fast = Scenario(
        "At eight times the speed all that the playhead moved was played",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(0, .rate(8)), .at(9_500, .pause),
            .at(9_700, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(0, "ratechange"), pause(9_500, played: 76_000),
        ] + Says.end(9_700, ["content_time_ms": .int(9_500)])
    )

    static let slow = Scenario(
        "At half the speed half of the time was played",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(0, .rate(0.5)), .at(8_000, .pause),
            .at(8_100, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(0, "ratechange"), pause(8_000, played: 4_000),
        ] + Says.end(8_100)
    )

    static let seldomReports = Scenario(
        "Reports that are a second apart, now a little more and now a little less, lose nothing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_010, .sample), .at(2_000, .sample),
            .at(3_010, .sample), .at(4_000, .sample), .at(5_010, .sample), .at(6_000, .sample), .at(9_010, .pause),
            .at(9_100, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [.at(0, "playing"), pause(9_010, played: 9_010)] + Says.end(9_100)
    )

    static let fastLiveUntold = Scenario(
        "A live stream that catches up at eight times the speed is seen to play",
        tracker: Mux.selection(),
        steps: [
            .at(
                0,
                Act.show {
                    $0.streamType = .live
                    $0.length = -1
                    $0.rate = 8
                }
            ),
            .at(0, .load), .at(500, .sample), .at(500, Act.show { $0.moving = true }), .at(750, .sample),
            .at(1_000, .sample), .at(1_500, .unload),
        ],
        expected: Says.opening() + [
            .at(750, "viewstart"), .at(750, "beacon"), .at(750, "play"), .at(750, "playing"),
            .at(1_500, "viewend", ["view_content_playback_time": .int(6_000)]), .at(1_500, "beacon"),
            .at(1_500, "viewmetrics"),
        ]
    )

    static let jump = Scenario(
        "A step that the speed does not explain was not played",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(250, .sample), .at(400, .show(.position(1_300))),
            .at(500, .sample), .at(750, .sample), .at(900, .pause), .at(1_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(
                900,
                "pause",
                ["view_content_playback_time": .int(650), "view_max_playhead_position": .int(1_800)]
            ),
        ] + Says.end(1_000)
    )

    static let jumpUntold = Scenario(
        "A playhead that jumps is no player that plays",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(250, .sample), .at(250, .show(.position(900))), .at(500, .sample), .at(750, .sample),
            .at(1_000, .unload),
        ],
        expected: Says.opening() + [.at(1_000, "viewend"), .at(1_000, "beacon")]
    )

    static let standing = Scenario(
        "A player that stands at a rate of 0 is paused",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .rate(0)), .at(5_000, .rate(1)),
            .at(6_000, .pause), .at(7_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "ratechange"),
            .at(2_000, "pause", ["view_content_playback_time": .int(2_000), "view_playing_time": .int(2_000)]),
            .at(5_000, "ratechange"), .at(5_000, "play"), .at(5_000, "playing"),
            .at(
                6_000,
                "pause",
                ["view_content_playback_time": .int(3_000), "view_playing_time": .int(3_000)],
                lacks: ["view_rebuffer_count"]
            ),
        ] + Says.end(7_000, ["content_time_ms": .int(3_000)])
    )

    static let standingFromTheBegin = Scenario(
        "A player that is told to play and still stands at a rate of 0 begins with the next rate",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .rate(0)), .at(500, .play), .at(750, .rate(1)), .at(900, .firstFrame),
            .at(1_900, .unload),
        ],
        expected: Says.opening() + Says.start(500) + [
            .at(500, "pause"), .at(750, "ratechange"), .at(750, "play"), .at(900, "playing"),
        ] + Says.end(1_900, ["content_time_ms": .int(1_000)])
    )
}
