import EventModel
import Tally
import TallyTesting

/// In which order things are said, and what is not said before the view has started.
enum OrderScenarios {
    static let all: [Scenario] = [
        seekBeforePlay, startWithinSeek, prerollWithinSeek, renditionWithModeAndRate, seekWithoutPause,
        endWithoutPause, bufferingBeforePlay, viewstartOfBreak, cumulativeTimes,
    ]

    static let seekBeforePlay = Scenario(
        "A seek before play says nothing and is not counted",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(300, .seekStart(to: 30)), .at(500, .sample), .at(700, .seekComplete),
            .at(1_000, .play), .at(1_500, .firstFrame), .at(3_000, .seekStart(to: 60)), .at(3_100, .seekComplete),
            .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(1_000) + [
            .at(1_500, "playing", ["view_time_to_first_frame": .int(500)], lacks: ["view_seek_count"]),
            .at(3_000, "seeking", ["view_seek_count": .int(1)]),
            .at(3_100, "seeked", ["view_seek_duration": .int(100)]), .at(3_100, "play"), .at(3_100, "playing"),
        ] + Says.end(4_000, ["seek_time_ms": .int(100)])
    )

    static let startWithinSeek = Scenario(
        "Play within a seek that began before it: playing comes when the seek is over",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(100, .seekStart(to: 30)), .at(200, .play), .at(600, .firstFrame),
            .at(700, .sample), .at(900, .sample), .at(1_000, .seekComplete), .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(200) + [
            .at(1_000, "playing", ["view_time_to_first_frame": .int(800)], lacks: ["view_seek_count"])
        ] + Says.end(3_000, ["waiting_time_ms": .int(800), "seek_time_ms": .int(0)])
    )

    static let prerollWithinSeek = Scenario(
        "A break opens the view, and a seek before play says nothing all the same",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .adBreakStart), .at(0, .adStart(1)), .at(500, .seekStart(to: 30)),
            .at(900, .seekComplete), .at(1_000, .adComplete), .at(1_000, .adBreakComplete), .at(1_000, .play),
            .at(1_200, .firstFrame), .at(2_000, .unload),
        ],
        expected: Says.opening() + [
            .at(0, "viewstart"), .at(0, "beacon"), .at(0, "adbreakstart"), .at(0, "adplay"), .at(0, "adplaying"),
            .at(1_000, "adended"), .at(1_000, "adbreakend"), .at(1_000, "play"), .at(1_200, "playing"),
        ] + Says.end(2_000, ["seek_time_ms": .int(0)])
    )

    static let renditionWithModeAndRate = Scenario(
        "Data comes immediately before a rendition change, also when mode and rate change with it",
        tracker: Mux.selection(),
        steps: [
            .at(0, Act.show { $0.moreOfState = { $0.fullscreen(false) } }), .at(0, .load), .at(0, .play),
            .at(0, .firstFrame),
            .at(
                1_000,
                Act.show {
                    $0.rate = 2
                    $0.moreOfState = { $0.fullscreen(true) }
                }
            ),
            .at(1_000, Act.rendition { $0.bitrate = 900_000 }), .at(2_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "data", ["video_source_bitrate": .int(900_000)]),
            .at(1_000, "renditionchange", ["video_source_bitrate": .int(900_000)]),
            .at(1_000, "playbackmodechange", ["player_playback_mode": .string("fullscreen")]),
            .at(1_000, "ratechange"),
        ] + Says.end(2_000)
    )

    static let seekWithoutPause = Scenario(
        "No pause of the tracker's own comes before a seek",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .seekStart(to: 60)),
            .at(2_500, .seekComplete), .at(4_000, .pause), .at(4_000, .seekStart(to: 90)), .at(4_200, .seekComplete),
            .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "seeking", ["player_is_paused": .bool(false)]), .at(2_500, "seeked"),
            .at(2_500, "play"), .at(2_500, "playing"), .at(4_000, "pause"),
            .at(4_000, "seeking", ["player_is_paused": .bool(true)]), .at(4_200, "seeked"),
        ] + Says.end(5_000)
    )

    static let endWithoutPause = Scenario(
        "No pause of the tracker's own comes before the end",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .complete), .at(3_000, .unload)],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "ended", ["player_is_paused": .bool(true)]), .at(2_000, "beacon"),
        ] + Says.end(3_000)
    )

    static let bufferingBeforePlay = Scenario(
        "Buffering before play is no play: the view starts with the viewer's wish",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(100, .bufferStart(.initial)), .at(1_000, .bufferComplete), .at(2_000, .play),
            .at(2_300, .firstFrame), .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(2_000) + [
            .at(2_300, "playing", ["view_time_to_first_frame": .int(300)], lacks: ["view_rebuffer_count"])
        ] + Says.end(3_000, ["watch_time_ms": .int(1_000)])
    )

    static let viewstartOfBreak = Scenario(
        "A break before play starts the view of a player that is paused until the break is there",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(500, .adBreakStart), .at(500, .adBreakComplete), .at(1_000, .unload)],
        expected: Says.opening() + [
            .at(500, "viewstart", ["player_is_paused": .bool(true)]), .at(500, "beacon"),
            .at(500, "adbreakstart", ["player_is_paused": .bool(false)]), .at(500, "adbreakend"),
        ] + Says.end(1_000)
    )

    static let cumulativeTimes = Scenario(
        "Playing times add up under their newer names, ads apart as well",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adBreakStart), .at(500, .adStart(1)), .at(2_500, .adComplete),
            .at(2_500, .adBreakComplete), .at(3_000, .firstFrame), .at(4_000, .bufferStart(.stall)),
            .at(4_600, .bufferComplete), .at(6_000, .pause), .at(7_000, .load), .at(8_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"),
            .at(
                0,
                "viewinit",
                ["view_playing_time_ms_cumulative": .int(0)],
                lacks: ["ad_playing_time_ms_cumulative"]
            ), .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + [
            .at(0, "pause"), .at(0, "adbreakstart"), .at(500, "adplay"),
            .at(500, "adplaying", lacks: ["ad_playing_time_ms_cumulative"]),
            .at(
                2_500,
                "adended",
                ["view_playing_time_ms_cumulative": .int(2_000), "ad_playing_time_ms_cumulative": .int(2_000)]
            ), .at(2_500, "adbreakend"), .at(2_500, "play"),
            .at(3_000, "playing", ["view_playing_time_ms_cumulative": .int(2_000)]), .at(4_000, "rebufferstart"),
            .at(4_600, "rebufferend", ["view_playing_time_ms_cumulative": .int(3_000)]), .at(4_600, "playing"),
            .at(
                6_000,
                "pause",
                [
                    "view_playing_time_ms_cumulative": .int(4_400), "ad_playing_time_ms_cumulative": .int(2_000),
                    "view_playing_time": .int(4_400),
                ]
            ),
        ] + Says.end(7_000) + [
            .at(
                7_000,
                "viewinit",
                ["view_playing_time_ms_cumulative": .int(0)],
                lacks: ["ad_playing_time_ms_cumulative"]
            ), .at(7_000, "data"), .at(8_000, "viewend"), .at(8_000, "beacon"),
        ]
    )
}
