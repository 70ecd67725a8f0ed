import EventModel
import Tally
import TallyTesting

/// What the tracker says of data and renditions, and what the application tells it.
enum DataScenarios {
    static let all: [Scenario] = [
        renditions, renditionAlreadyKnown, pictureAndDuration, droppedFrames, liveStream, liveEdge, metadata,
        customersSource,
        applicationData, playbackModes, rates, deliveryNetworks, orientation, programme, scaling, silence,
    ]

    static let renditions = Scenario(
        "A rendition change comes right after its data event, and once for each rendition that is on screen",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, .rendition(bitrate: 900_000, shift: .down, phase: .decided)),
            .at(2_000, .rendition(bitrate: 900_000, shift: .down, phase: .visible)),
            .at(2_500, .rendition(bitrate: 900_000, shift: .same, phase: .visible)),
            .at(
                3_000,
                Act.rendition {
                    $0.bitrate = 5_000_000
                    $0.width = 1920
                    $0.height = 1080
                    $0.framesPerSecond = 29.97
                    $0.codec = "avc1.640028"
                    $0.name = "1080p"
                }
            ),
            .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(2_000, "data", ["video_source_bitrate": .int(900_000)], lacks: ["video_title", "env_key"]),
            .at(2_000, "renditionchange", ["video_source_bitrate": .int(900_000), "video_source_fps": .double(25)]),
            .at(
                3_000,
                "data",
                [
                    "video_source_bitrate": .int(5_000_000), "video_source_width": .int(1920),
                    "video_source_height": .int(1080), "video_source_fps": .double(29.97),
                    "video_source_codec": .string("avc1.640028"), "video_source_rendition_name": .string("1080p"),
                ]
            ),
            .at(3_000, "renditionchange", ["video_source_height": .int(1080)]),
        ] + Says.end(4_000)
    )

    static let renditionAlreadyKnown = Scenario(
        "A rendition whose bitrate was known already has its data event all the same",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, Act.rendition { $0.bitrate = 3_000_000 }),
            .at(2_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "data", ["video_source_bitrate": .int(3_000_000)]),
            .at(1_000, "renditionchange"),
        ] + Says.end(2_000)
    )

    static let pictureAndDuration = Scenario(
        "A data event has the changed picture, duration or bitrate and nothing else",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, Act.show { $0.moreOfQuality = { $0.size(width: 1280, height: 720) } }), .at(1_000, .pause),
            .at(2_000, Act.show { $0.moreOfState = { $0.duration(milliseconds: 601_500) } }), .at(2_000, .sample),
            .at(2_500, .sample), .at(3_000, Act.show { $0.bitrate = 2_500_000 }), .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(
                1_000,
                "data",
                ["video_source_width": .int(1280), "video_source_height": .int(720)],
                lacks: ["video_source_bitrate", "video_source_duration"]
            ),
            .at(1_000, "pause", ["video_source_width": .int(1280), "video_source_duration": .int(600_000)]),
            .at(2_000, "data", ["video_source_duration": .int(601_500)], lacks: ["video_source_width"]),
            .at(3_000, "data", ["video_source_bitrate": .int(2_500_000)], lacks: ["video_source_duration"]),
        ] + Says.end(3_000)
    )

    static let droppedFrames = Scenario(
        "Dropped frames are a total of the view",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .quality), .at(2_000, .quality),
            .at(3_000, Act.custom("programchange")), .at(4_000, .quality), .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "data", ["view_dropped_frame_count": .int(1)], lacks: ["video_title"]),
            .at(2_000, "data", ["view_dropped_frame_count": .int(2)]), .at(3_000, "viewend"), .at(3_000, "beacon"),
            .at(3_000, "viewmetrics"), .at(3_000, "viewinit", ["view_dropped_frame_count": .int(0)]),
            .at(3_000, "data"), .at(3_000, "viewstart"), .at(3_000, "beacon"), .at(3_000, "play"),
            .at(3_000, "playing"), .at(4_000, "data", ["view_dropped_frame_count": .int(1)]),
        ] + Says.end(5_000)
    )

    static let liveStream = Scenario(
        "A live stream has its program times, and no duration without a known end",
        tracker: Mux.selection(),
        steps: [
            .at(
                0,
                Act.show {
                    $0.streamType = .live
                    $0.length = -1
                    $0.moreOfState = { state in
                        state.liveWallClock(milliseconds: 1_600_000_000_000)
                        state.custom("player_live_edge_program_time", .int(1_600_000_006_000))
                        state.custom("player_remote_played", .bool(true))
                    }
                }
            ),
            .at(0, .load), .at(0, .play), .at(1_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"),
            .at(
                0,
                "viewinit",
                [
                    "video_source_is_live": .string("true"), "video_stream_type": .string("live"),
                    "player_program_time": .int(1_600_000_000_000),
                    "player_live_edge_program_time": .int(1_600_000_006_000), "player_remote_played": .bool(true),
                ],
                lacks: ["video_source_duration"]
            ), .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + Says.end(1_000)
    )

    static let liveEdge = Scenario(
        "The edge of a live stream is what the player says of it",
        tracker: Mux.selection(),
        steps: [
            .at(
                0,
                Act.show {
                    $0.streamType = .live
                    $0.length = -1
                    $0.moreOfState = { $0.liveWallClock(milliseconds: 1_600_000_000_000) }
                    $0.moreOfQuality = { $0.liveEdge(milliseconds: 1_600_000_006_000) }
                }
            ),
            .at(0, .load), .at(0, .play),
            .at(1_000, Act.show { $0.moreOfQuality = { $0.liveEdge(milliseconds: 1_600_000_008_000) } }),
            .at(1_000, .pause), .at(1_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"),
            .at(0, "viewinit", ["player_live_edge_program_time": .int(1_600_000_006_000)]),
            .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + [
            .at(1_000, "pause", ["player_live_edge_program_time": .int(1_600_000_008_000)])
        ] + Says.end(1_000)
    )

    static let metadata = Scenario(
        "New metadata is a data event with what changed",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, Act.show { $0.length = 500 }),
            .at(1_000, .metadata(name: "Another title")), .at(2_000, .metadata(name: "Another title")),
            .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(
                1_000,
                "data",
                ["video_title": .string("Another title"), "video_source_duration": .int(500_000)],
                lacks: ["video_id", "env_key"]
            )
        ] + Says.end(3_000)
    )

    static let customersSource = Scenario(
        "The customer's source address wins over the player's, and what is configured over what the player says",
        tracker: Mux.selection([
            "customerVideoData": ["videoSourceUrl": "https://cdn.customer.example/x.m3u8", "videoTitle": "Configured"]
        ]),
        steps: [.at(0, .load), .at(0, .play), .at(500, .metadata(name: "Other")), .at(1_000, .unload)],
        expected: [
            .at(0, "globaldata"),
            .at(
                0,
                "viewinit",
                [
                    "video_source_url": .string("https://cdn.customer.example/x.m3u8"),
                    "video_source_hostname": .string("cdn.customer.example"),
                    "video_source_domain": .string("customer.example"), "video_title": .string("Configured"),
                    "video_id": .string("asset-1"),
                ]
            ), .at(0, "data", ["video_title": .string("Configured")]), .at(0, "playerready"),
        ] + Says.start(0) + Says.end(1_000)
    )

    static let applicationData = Scenario(
        "The application sets fields under their own names, global ones too",
        tracker: Mux.selection(["customData": ["custom1": "a"]]),
        steps: [
            .at(0, .load), .at(0, .play),
            .at(
                1_000,
                Act.call { _, run in
                    run.trackMetadataChange { event in
                        event.set("view_session_id", "session-9")
                        event.set("video_series", "Series")
                        event.set("custom_1", "b")
                        event.set("viewer_connection_type", "wifi")
                        event.set("no_such_field", "x")
                        event.set("view_watch_time", Int64(5))
                    }
                }
            ),
            .at(2_000, .load), .at(3_000, .unload),
        ],
        expected: [
            .at(0, "globaldata", lacks: ["viewer_connection_type"]), .at(0, "viewinit", ["custom_1": .string("a")]),
            .at(0, "data", ["custom_1": .string("a")]), .at(0, "playerready"),
        ] + Says.start(0) + [
            .at(1_000, "globaldata", ["viewer_connection_type": .string("wifi")], lacks: ["mux_viewer_id"]),
            .at(
                1_000,
                "data",
                [
                    "view_session_id": .string("session-9"), "video_series": .string("Series"),
                    "custom_1": .string("b"),
                ],
                lacks: ["no_such_field", "view_watch_time"]
            ),
        ] + Says.end(2_000) + [
            .at(2_000, "viewinit", ["custom_1": .string("b")], lacks: ["video_series", "view_session_id"]),
            .at(2_000, "data", ["video_change": .bool(true), "custom_1": .string("b")]), .at(3_000, "viewend"),
            .at(3_000, "beacon"),
        ]
    )

    static let playbackModes = Scenario(
        "Full screen is a playback mode, and its change an event",
        tracker: Mux.selection(),
        steps: [
            .at(0, Act.show { $0.moreOfState = { $0.fullscreen(false) } }), .at(0, .load), .at(0, .play),
            .at(1_000, Act.show { $0.moreOfState = { $0.fullscreen(true) } }), .at(1_000, .sample),
            .at(2_000, .sample), .at(3_000, Act.custom("playbackmodechange", ["player_playback_mode": .string("pip")])),
            .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(
                1_000,
                "playbackmodechange",
                ["player_playback_mode": .string("fullscreen"), "player_is_fullscreen": .bool(true)]
            ), .at(1_000, "playing"),
            .at(3_000, "playbackmodechange", ["player_playback_mode": .string("pip")]),
        ] + Says.end(4_000)
    )

    static let rates = Scenario(
        "Another playback rate is an event, and slow playback is no stall",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .rate(0.5)), .at(1_800, .sample),
            .at(2_600, .sample), .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [.at(0, "playing"), .at(1_000, "ratechange")] + Says.end(3_000)
    )

    private static func tell(_ info: borrowing VideoInfoEncoder, cdn: String) {
        info.cdn(cdn)
        info.playerLanguage("en-US")
    }

    static let deliveryNetworks = Scenario(
        "Another delivery network is an event with the one before",
        tracker: Mux.selection(),
        steps: [
            .at(0, Act.show { $0.moreOfVideo = { Self.tell($0, cdn: "one") } }), .at(0, .load), .at(0, .play),
            .at(1_000, Act.show { $0.moreOfVideo = { $0.cdn("two") } }), .at(1_000, .metadata(name: "Synthetic")),
            .at(2_000, Act.custom("cdnchange", ["video_cdn": .string("three")])), .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(1_000, "data", ["video_cdn": .string("two")]),
            .at(1_000, "cdnchange", ["video_previous_cdn": .string("one"), "player_language_code": .string("en-US")]),
            .at(2_000, "data", ["video_cdn": .string("three")]),
            .at(2_000, "cdnchange", ["video_previous_cdn": .string("two")]),
        ] + Says.end(3_000)
    )

    static let orientation = Scenario(
        "Portrait is 90 degrees about z, landscape 0; events of the application under Mux's names are Mux's",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play),
            .at(100, Act.custom("orientationchange", ["orientation": .string("portrait")])),
            .at(200, Act.custom("orientationchange", ["orientation": .string("landscape")])),
            .at(300, Act.custom("networkchange", ["viewer_connection_type": .string("wifi")])),
            .at(400, Act.custom("audiotrackchange")), .at(500, Act.custom("texttrackchange")),
            .at(600, Act.custom("waiting")),
            .at(700, Act.custom("loadstart")), .at(800, Act.custom("viewend")), .at(900, Act.custom("something")),
            .at(1_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(
                100,
                "orientationchange",
                [
                    "viewer_device_orientation_x": .int(0), "viewer_device_orientation_y": .int(0),
                    "viewer_device_orientation_z": .int(90),
                ]
            ),
            .at(200, "orientationchange", ["viewer_device_orientation_z": .int(0)]),
            .at(300, "globaldata", ["viewer_connection_type": .string("wifi")]),
            .at(300, "networkchange", lacks: ["viewer_device_orientation_z"]), .at(400, "audiotrackchange"),
            .at(500, "texttrackchange"), .at(600, "waiting"), .at(700, "loadstart"),
        ] + Says.end(1_000)
    )

    static let programme = Scenario(
        "Another programme in one stream: a view of its own that goes on playing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(3_000, Act.custom("programchange", ["video_title": .string("News")])), .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(3_000, "viewend"), .at(3_000, "beacon"), .at(3_000, "viewmetrics"),
            .at(3_000, "viewinit", ["video_title": .string("News")], lacks: ["video_id"]),
            .at(3_000, "data", ["video_title": .string("News")], lacks: ["video_change"]), .at(3_000, "viewstart"),
            .at(3_000, "beacon"), .at(3_000, "play", ["view_program_changed": .bool(true)]), .at(3_000, "playing"),
        ] + Says.end(4_000, ["watch_time_ms": .int(1_000)])
    )

    static let scaling = Scenario(
        "320 lines of picture that fill 640 are scaled up by 100 %",
        tracker: Mux.selection(),
        steps: [
            .at(
                0,
                Act.show {
                    $0.moreOfQuality = { $0.size(width: 320, height: 180) }
                    $0.moreOfState = { $0.playerSize(width: 640, height: 360) }
                }
            ),
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .pause), .at(3_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"), .at(0, "viewinit", ["player_width": .int(640), "player_height": .int(360)]),
            .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + [
            .at(0, "playing"),
            .at(
                2_000,
                "pause",
                [
                    "view_max_upscale_percentage": .double(1), "view_total_upscaling": .double(2_000),
                    "view_total_content_playback_time": .int(2_000), "view_total_downscaling": .double(0),
                    "view_max_downscale_percentage": .double(0),
                ]
            ),
        ] + Says.end(3_000, ["upscale_percentage": .double(1), "video_quality_score": .double(71.9)])
    )

    static let silence = Scenario(
        "After more than an hour of silence an event belongs to another view of the same video",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .pause), .at(3_601_001, .play),
            .at(3_602_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [.at(0, "playing"), .at(1_000, "pause"), .at(10_000, "beacon")]
            + Says.end(3_601_001, ["watch_time_ms": .int(1_000)]) + [
                .at(
                    3_601_001,
                    "viewinit",
                    ["player_view_count": .int(2), "video_title": .string("Synthetic")]
                ), .at(3_601_001, "data", lacks: ["video_change"]), .at(3_601_001, "viewstart"),
                .at(3_601_001, "beacon"), .at(3_601_001, "play"), .at(3_601_001, "playing"),
            ] + Says.end(3_602_000)
    )
}
