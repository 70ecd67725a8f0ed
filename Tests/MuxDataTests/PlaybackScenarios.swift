import EventModel
import Tally
import TallyTesting

/// What the tracker says of playback: its events, their times and what is measured.
enum PlaybackScenarios {
    static let all: [Scenario] = [
        completePlayback, abandonedBeforePlay, leftBeforeFirstFrame, pauseAndPlay, stallTold, stallToldTwice, seekBack,
        seekWhilePaused, mergedSeeks, separateSeeks, endWhileSeeking, detectedStall, shortStall, noStallInPause,
        playsUntold, untoldBeyondTheEnd, untoldWhileSeeking, secondVideo, replayAfterEnd, longStallEndsView,
        heartbeats, joins,
    ]

    static let completePlayback = Scenario(
        "A playback from ready to end",
        tracker: Mux.selection(),
        steps: [
            .at(0, .playerReady), .at(100, .load), .at(200, .play), .at(700, .firstFrame), .at(5_700, .complete),
            .at(5_800, .unload),
        ],
        expected: [
            .at(0, "globaldata", ["mux_embed": .string("tally"), "player": .string("mux")]),
            .at(
                0,
                "viewinit",
                ["view_sequence_number": .int(1), "player_view_count": .int(1), "player_is_paused": .bool(true)]
            ),
            .at(0, "data", ["env_key": .string("hex")]),
            .at(0, "playerready", ["player_startup_time": .int(0), "view_sequence_number": .int(2)]),
            .at(100, "data", ["video_title": .string("Synthetic"), "video_source_duration": .int(600_000)]),
            .at(200, "viewstart", ["view_start": .int(1_700_000_000_200), "view_sequence_number": .int(3)]),
            .at(200, "beacon"),
            .at(200, "play", ["player_is_paused": .bool(false), "view_watch_time": .int(0)]),
            .at(
                700,
                "playing",
                ["view_time_to_first_frame": .int(500), "view_watch_time": .int(500), "view_playing_time": .int(0)]
            ),
            .at(
                5_700,
                "ended",
                [
                    "view_watch_time": .int(5_500), "view_playing_time": .int(5_000),
                    "player_playhead_time": .int(5_500), "player_is_paused": .bool(true),
                ]
            ),
            .at(5_700, "beacon"),
            .at(5_800, "viewend", ["view_end": .int(1_700_000_005_800), "view_watch_time": .int(5_500)]),
            .at(5_800, "beacon"),
            .at(
                5_800,
                "viewmetrics",
                [
                    "video_startup_time_ms": .int(500), "watch_time_ms": .int(5_500),
                    "content_time_ms": .int(5_000), "waiting_time_ms": .int(500),
                    "exit_before_video_start": .bool(false), "playback_success_score": .double(100),
                    "startup_time_score": .double(94.1), "smoothness_score": .double(100),
                ]
            ),
        ]
    )

    static let abandonedBeforePlay = Scenario(
        "A view that never started ends, and is worth nothing",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(900, .unload)],
        expected: Says.opening() + [.at(900, "viewend", lacks: ["view_start", "view_watch_time"]), .at(900, "beacon")]
    )

    static let leftBeforeFirstFrame = Scenario(
        "A view that is left before its first frame is an exit before video start",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(100, .play), .at(2_100, .unload)],
        expected: Says.opening() + Says.start(100)
            + Says.end(
                2_100,
                [
                    "exit_before_video_start": .bool(true), "playback_success_score": .double(50),
                    "waiting_time_ms": .int(2_000),
                ]
            )
    )

    static let pauseAndPlay = Scenario(
        "Paused time is not watched, and what is said again says nothing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .play), .at(1_000, .firstFrame), .at(3_000, .pause),
            .at(3_500, .pause), .at(8_000, .play), .at(9_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(1_000, "playing"),
            .at(3_000, "pause", ["view_watch_time": .int(3_000), "player_is_paused": .bool(true)]),
            .at(8_000, "play", ["view_watch_time": .int(3_000)]), .at(8_000, "playing"),
        ] + Says.end(9_000, ["watch_time_ms": .int(4_000), "content_time_ms": .int(3_000)])
    )

    static let stallTold = Scenario(
        "A stall that the player tells of: rebufferstart, rebufferend, playing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(500, .firstFrame), .at(4_500, .bufferStart(.stall)),
            .at(6_500, .bufferComplete), .at(8_500, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(500, "playing"),
            .at(4_500, "rebufferstart", ["view_rebuffer_count": .int(1), "view_rebuffer_duration": .int(0)]),
            .at(
                6_500,
                "rebufferend",
                [
                    "view_rebuffer_duration": .int(2_000), "view_watch_time": .int(6_500),
                    "view_rebuffer_percentage": .double(2_000.0 / 6_500.0),
                    "view_rebuffer_frequency": .double(1.0 / 6_500.0),
                ]
            ),
            .at(6_500, "playing"),
        ] + Says.end(8_500, ["rebuffer_time_ms": .int(2_000), "content_time_ms": .int(6_000)])
    )

    static let stallToldTwice = Scenario(
        "A stall that is told twice is one, and one before the first frame is none",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .bufferStart(.initial)), .at(400, .bufferComplete),
            .at(500, .firstFrame), .at(2_000, .bufferStart(.stall)), .at(2_500, .bufferStart(.stall)),
            .at(3_000, .bufferComplete), .at(3_500, .bufferComplete), .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(500, "playing", lacks: ["view_rebuffer_count"]), .at(2_000, "rebufferstart"),
            .at(3_000, "rebufferend", ["view_rebuffer_duration": .int(1_000)]), .at(3_000, "playing"),
        ] + Says.end(4_000, ["waiting_time_ms": .int(500)])
    )

    static let seekBack = Scenario(
        "A seek while playing: seeking, seeked, play, playing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(5_000, .seekStart(to: 1)),
            .at(5_600, .seekComplete), .at(7_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"),
            .at(5_000, "seeking", ["view_seek_count": .int(1), "player_is_paused": .bool(false)]),
            .at(
                5_600,
                "seeked",
                [
                    "view_seek_duration": .int(600), "view_max_seek_time": .int(600),
                    "player_playhead_time": .int(1_000),
                ]
            ),
            .at(5_600, "play"), .at(5_600, "playing", ["view_playing_time": .int(4_900)]),
        ] + Says.end(7_000, ["seek_latency_ms": .int(600), "seek_time_ms": .int(600), "watch_time_ms": .int(7_000)])
    )

    static let seekWhilePaused = Scenario(
        "A seek while paused leaves the pause",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_000, .pause), .at(3_000, .seekStart(to: 60)),
            .at(4_000, .seekComplete), .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"), .at(2_000, "pause"), .at(3_000, "seeking"),
            .at(4_000, "seeked", ["view_watch_time": .int(2_000), "view_seek_duration": .int(1_000)]),
        ] + Says.end(5_000, ["seek_time_ms": .int(0)])
    )

    static let mergedSeeks = Scenario(
        "Seeks within 2 s of each other are one",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(5_000, .seekStart(to: 60)),
            .at(6_500, .seekStart(to: 90)), .at(8_400, .seekStart(to: 120)), .at(9_000, .seekComplete),
            .at(9_500, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"), .at(5_000, "seeking"),
            .at(9_000, "seeked", ["view_seek_count": .int(1), "view_seek_duration": .int(4_000)]),
            .at(9_000, "play"), .at(9_000, "playing"),
        ] + Says.end(9_500)
    )

    static let separateSeeks = Scenario(
        "A seek more than 2 s after another one is another one",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_000, .seekStart(to: 60)),
            .at(4_500, .seekStart(to: 90)), .at(5_000, .seekComplete), .at(5_500, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"), .at(2_000, "seeking"), .at(4_500, "seeked", ["view_seek_duration": .int(2_500)]),
            .at(4_500, "seeking", ["view_seek_count": .int(2)]),
            .at(5_000, "seeked", ["view_seek_duration": .int(3_000), "view_max_seek_time": .int(2_500)]),
            .at(5_000, "play"), .at(5_000, "playing"),
        ] + Says.end(5_500, ["seek_latency_ms": .int(1_500)])
    )

    static let endWhileSeeking = Scenario(
        "A view that ends within a seek says seeked first",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_000, .seekStart(to: 60)), .at(2_300, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"), .at(2_000, "seeking"), .at(2_300, "seeked", ["view_seek_duration": .int(300)]),
        ] + Says.end(2_300)
    )

    /// The playhead stands still, and the player says nothing of it.
    private static let freeze = PlayerAction.call(
        PlayerCall("freeze") { player, _ in player.change { $0.moving = false } }
    )
    private static let thaw = PlayerAction.call(PlayerCall("thaw") { player, _ in player.change { $0.moving = true } })

    static let detectedStall = Scenario(
        "A playhead that stands still for a second is a stall from its last movement on",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(3_000, .sample), .at(3_000, freeze),
            .at(4_200, thaw), .at(6_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(
                4_000,
                "rebufferstart",
                ["viewer_time": .int(1_700_000_003_000), "view_rebuffer_duration": .int(1_000)]
            ),
            .at(
                4_250,
                "rebufferend",
                ["viewer_time": .int(1_700_000_004_250), "view_rebuffer_duration": .int(1_250)]
            ),
        ]
            + Says.end(
                6_000,
                ["rebuffer_time_ms": .int(1_250), "content_time_ms": .int(4_750), "watch_time_ms": .int(6_000)]
            )
    )

    static let shortStall = Scenario(
        "A playhead that lags behind by more than 250 ms stood still for that long",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(500, .sample), .at(500, freeze), .at(900, thaw),
            .at(1_000, .sample), .at(1_250, .sample), .at(2_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(1_000, "rebufferstart", ["viewer_time": .int(1_700_000_000_500), "view_rebuffer_count": .int(1)]),
            .at(
                1_000,
                "rebufferend",
                ["viewer_time": .int(1_700_000_000_900), "view_rebuffer_duration": .int(400)]
            ),
        ] + Says.end(2_000, ["rebuffer_time_ms": .int(400), "content_time_ms": .int(1_600)])
    )

    static let noStallInPause = Scenario(
        "A playhead that stands still in a pause or a seek is no stall",
        tracker: Mux.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .pause), .at(4_000, .play),
            .at(5_000, .seekStart(to: 100)), .at(8_000, .seekComplete), .at(9_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "pause"), .at(4_000, "play"), .at(4_000, "playing"), .at(5_000, "seeking"),
            .at(8_000, "seeked"), .at(8_000, "play"), .at(8_000, "playing"),
        ] + Says.end(9_000, ["rebuffer_time_ms": .int(0)])
    )

    static let playsUntold = Scenario(
        "A playhead that moves although nobody said so: play, playing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(500, .sample), .at(500, thaw), .at(750, .sample), .at(1_000, .sample),
            .at(2_000, .unload),
        ],
        expected: Says.opening() + [
            .at(750, "viewstart"), .at(750, "beacon"), .at(750, "play"),
            .at(750, "playing", ["view_time_to_first_frame": .int(0)]),
        ] + Says.end(2_000)
    )

    static let untoldBeyondTheEnd = Scenario(
        "A playhead that moves after the end of what never began plays nothing",
        tracker: Mux.selection(),
        sampled: true,
        steps: [.at(0, .load), .at(500, .complete), .at(1_000, thaw), .at(3_000, .play), .at(4_000, .unload)],
        expected: Says.opening() + Says.start(3_000) + [.at(3_250, "playing")]
            + Says.end(4_000, ["content_time_ms": .int(750), "waiting_time_ms": .int(250)])
    )

    static let untoldWhileSeeking = Scenario(
        "A playhead that moves while seeking is the seek",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(500, .seekStart(to: 30)), .at(500, thaw), .at(750, .sample), .at(1_000, .sample),
            .at(2_000, .unload),
        ],
        expected: Says.opening() + [.at(2_000, "viewend"), .at(2_000, "beacon")]
    )

    static let secondVideo = Scenario(
        "A change of the video: viewend, viewinit, data with the change",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_000, .load), .at(2_500, .play),
            .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"), .at(2_000, "viewend"), .at(2_000, "beacon"), .at(2_000, "viewmetrics"),
            .at(
                2_000,
                "viewinit",
                ["view_sequence_number": .int(1), "player_view_count": .int(2)],
                lacks: ["view_start", "view_watch_time", "view_time_to_first_frame"]
            ),
            .at(2_000, "data", ["video_change": .bool(true), "video_title": .string("Synthetic")]),
        ] + Says.start(2_500) + Says.end(3_000, ["exit_before_video_start": .bool(true)])
    )

    static let replayAfterEnd = Scenario(
        "Playing again after the end goes on with the view",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_000, .complete), .at(2_000, .complete),
            .at(4_000, .play), .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(100, "playing"), .at(2_000, "ended"), .at(2_000, "beacon"), .at(4_000, "play"), .at(4_000, "playing"),
        ] + Says.end(5_000, ["watch_time_ms": .int(3_000)])
    )

    static let longStallEndsView = Scenario(
        "A stall of more than five minutes ends the view; playback after it is another one",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .sample), .at(1_000, freeze),
            .at(2_000, .sample), .at(301_000, .sample), .at(301_001, .sample), .at(302_000, thaw),
            .at(302_250, .sample), .at(303_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "rebufferstart"), .at(10_000, "beacon"),
        ]
            + (1...28).flatMap { index -> [Scenario.Expected] in
                [.at(2_000 + Int64(index) * 10_000, "hb"), .at(10_000 + Int64(index) * 10_000, "beacon")]
            } + [
                .at(292_000, "hb"), .at(300_000, "beacon"),
                .at(301_001, "rebufferend", ["view_rebuffer_duration": .int(300_001)]), .at(301_001, "viewend"),
                .at(301_001, "beacon"), .at(301_001, "viewmetrics"),
                .at(302_250, "viewinit", ["player_view_count": .int(2)]), .at(302_250, "data"),
                .at(302_250, "viewstart"), .at(302_250, "beacon"), .at(302_250, "play"), .at(302_250, "playing"),
            ] + Says.end(303_000)
    )

    static let heartbeats = Scenario(
        "A heartbeat comes 10 s after the last event, and none while paused",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .firstFrame), .at(5_000, .requestCompleted(bytes: 10)),
            .at(23_000, .pause), .at(60_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(1_000, "playing"), .at(5_000, "requestcompleted"), .at(10_000, "beacon"),
            .at(11_000, "hb", ["view_watch_time": .int(11_000)]), .at(20_000, "beacon"), .at(21_000, "hb"),
            .at(23_000, "pause"), .at(30_000, "beacon"),
        ] + Says.end(60_000, ["watch_time_ms": .int(23_000)])
    )

    static let joins = Scenario(
        "A tracker that joins says what brings it to where the player stands; one that leaves ends the view",
        tracker: Mux.selection(),
        steps: [
            .at(0, .disable("mux")), .at(0, .load), .at(0, .play), .at(500, .firstFrame), .at(3_000, .enable("mux")),
            .at(4_000, .disable("mux")), .at(5_000, .pause), .at(6_000, .unload),
        ],
        expected: Says.opening(3_000) + Says.start(3_000) + [
            .at(3_000, "playing", ["view_time_to_first_frame": .int(0), "player_software_name": .string("synthetic")])
        ] + Says.end(4_000, ["watch_time_ms": .int(1_000)])
    )
}
