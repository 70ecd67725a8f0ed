import EventModel
import Tally
import TallyTesting

/// What the tracker says of each sample of the playhead.
enum TimeUpdateScenarios {
    static let all: [Scenario] = [timeUpdates, changes]

    static let timeUpdates = Scenario(
        "Each sample is a time update with the player and video data",
        tracker: Mux.selection(["timeUpdates": true]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(250, .sample), .at(500, .sample), .at(600, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(
                250,
                "timeupdate",
                [
                    "player_playhead_time": .int(250), "player_is_paused": .bool(false),
                    "video_source_bitrate": .int(3_000_000), "viewer_time": .int(1_700_000_000_250),
                    "player_mux_plugin_name": .string("tally"),
                ],
                lacks: ["view_watch_time"]
            ), .at(500, "timeupdate", ["player_playhead_time": .int(500)]),
        ] + Says.end(600)
    )

    static let changes = Scenario(
        "A time update has what changed since the one before it, texts too, and lacks what is known no more",
        tracker: Mux.selection(["timeUpdates": true]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(250, .sample),
            .at(
                300,
                Act.rendition {
                    $0.bitrate = 1_000_000
                    $0.name = "low"
                }
            ), .at(500, .sample),
            .at(
                600,
                Act.rendition {
                    $0.bitrate = 2_000_000
                    $0.name = "a name that is longer than the one before"
                    $0.framesPerSecond = 29.97
                }
            ), .at(750, .sample), .at(900, Act.rendition { $0.bitrate = 3_000_000 }), .at(1_000, .sample),
            .at(1_100, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(250, "timeupdate", ["player_playhead_time": .int(250)], lacks: ["video_source_rendition_name"]),
            .at(300, "data"), .at(300, "renditionchange"),
            .at(
                500,
                "timeupdate",
                ["video_source_rendition_name": .string("low"), "video_source_bitrate": .int(1_000_000)]
            ),
            .at(600, "data"), .at(600, "renditionchange"),
            .at(
                750,
                "timeupdate",
                [
                    "player_playhead_time": .int(750), "video_source_bitrate": .int(2_000_000),
                    "video_source_rendition_name": .string("a name that is longer than the one before"),
                    "video_source_fps": .double(29.97),
                ]
            ), .at(900, "data"), .at(900, "renditionchange"),
            .at(1_000, "timeupdate", ["video_source_bitrate": .int(3_000_000)], lacks: ["video_source_rendition_name"]),
        ] + Says.end(1_100)
    )
}
