import EventModel
import Tally
import TallyTesting

/// What the tracker says of data, renditions, requests and errors.
enum DataScenarios {
    static let all: [Scenario] = [
        renditions, renditionAlreadyKnown, pictureAndDuration, droppedFrames, liveStream, metadata, customersSource,
        applicationData, playbackModes, rates, deliveryNetworks, orientation, programme, timeUpdates, requests,
        requestsByDefault, renditionLists, fatalError, warning, errorBeforeStart, businessException, scaling,
        silence,
    ]

    private static let opening = PlaybackScenarios.opening()
    private static func start(_ time: Int64) -> [Scenario.Expected] { PlaybackScenarios.start(time) }
    private static func end(_ time: Int64, _ metrics: [String: PlainValue] = [:]) -> [Scenario.Expected] {
        PlaybackScenarios.end(time, metrics)
    }

    private static func call(_ perform: @escaping @Sendable (SyntheticPlayer, PlayerRun) -> Void) -> PlayerAction {
        .call(PlayerCall("call", perform))
    }

    private static func show(_ change: @escaping @Sendable (inout SyntheticPlayer.Model) -> Void) -> PlayerAction {
        call { player, _ in player.change(change) }
    }

    private static func rendition(_ fill: @escaping @Sendable (inout Rendition) -> Void) -> PlayerAction {
        call { _, run in
            var rendition = Rendition()
            fill(&rendition)
            run.trackRenditionChange(rendition)
        }
    }

    private static func custom(_ name: String, _ values: [String: PlainValue] = [:]) -> PlayerAction {
        call { _, run in
            run.trackCustomEvent(name) { event in
                for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                    event.set(custom: name, value)
                }
            }
        }
    }

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
                rendition {
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
        expected: opening + start(0) + [
            .at(0, "playing"),
            .at(2_000, "data", ["video_source_bitrate": .int(900_000)], lacks: ["video_title", "env_key"]),
            .at(2_000, "renditionchange", ["video_source_bitrate": .int(900_000), "video_source_fps": .int(25)]),
            .at(
                3_000,
                "data",
                [
                    "video_source_bitrate": .int(5_000_000), "video_source_width": .int(1920),
                    "video_source_height": .int(1080), "video_source_fps": .double(29.97),
                    "video_source_codec": .string("avc1.640028"), "video_source_name": .string("1080p"),
                ]
            ),
            .at(3_000, "renditionchange", ["video_source_height": .int(1080)]),
        ] + end(4_000)
    )

    static let renditionAlreadyKnown = Scenario(
        "A rendition whose bitrate was known already has its data event all the same",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, rendition { $0.bitrate = 3_000_000 }),
            .at(2_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(0, "playing"), .at(1_000, "data", ["video_source_bitrate": .int(3_000_000)]),
            .at(1_000, "renditionchange"),
        ] + end(2_000)
    )

    static let pictureAndDuration = Scenario(
        "A data event has the changed picture, duration or bitrate and nothing else",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, show { $0.moreOfQuality = { $0.size(width: 1280, height: 720) } }), .at(1_000, .pause),
            .at(2_000, show { $0.moreOfState = { $0.duration(milliseconds: 601_500) } }), .at(2_000, .sample),
            .at(2_500, .sample), .at(3_000, show { $0.bitrate = 2_500_000 }), .at(3_000, .unload),
        ],
        expected: opening + start(0) + [
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
        ] + end(3_000)
    )

    static let droppedFrames = Scenario(
        "Dropped frames are a total of the view",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .quality), .at(2_000, .quality),
            .at(3_000, custom("programchange")), .at(4_000, .quality), .at(5_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(0, "playing"), .at(1_000, "data", ["view_dropped_frame_count": .int(1)], lacks: ["video_title"]),
            .at(2_000, "data", ["view_dropped_frame_count": .int(2)]), .at(3_000, "viewend"), .at(3_000, "beacon"),
            .at(3_000, "viewmetrics"), .at(3_000, "viewinit", ["view_dropped_frame_count": .int(0)]),
            .at(3_000, "data"), .at(3_000, "viewstart"), .at(3_000, "beacon"), .at(3_000, "play"),
            .at(3_000, "playing"), .at(4_000, "data", ["view_dropped_frame_count": .int(1)]),
        ] + end(5_000)
    )

    static let liveStream = Scenario(
        "A live stream has its program times, and no duration without a known end",
        tracker: Mux.selection(),
        steps: [
            .at(
                0,
                show {
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
        ] + start(0) + end(1_000)
    )

    static let metadata = Scenario(
        "New metadata is a data event with what changed",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .metadata(name: "Another title")),
            .at(2_000, .metadata(name: "Another title")), .at(3_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(1_000, "data", ["video_title": .string("Another title")], lacks: ["video_id", "env_key"])
        ] + end(3_000)
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
        ] + start(0) + end(1_000)
    )

    static let applicationData = Scenario(
        "The application sets fields under their own names, global ones too",
        tracker: Mux.selection(["customData": ["custom1": "a"]]),
        steps: [
            .at(0, .load), .at(0, .play),
            .at(
                1_000,
                call { _, run in
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
        ] + start(0) + [
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
        ] + end(2_000) + [
            .at(2_000, "viewinit", ["custom_1": .string("b")], lacks: ["video_series", "view_session_id"]),
            .at(2_000, "data", ["video_change": .bool(true), "custom_1": .string("b")]), .at(3_000, "viewend"),
            .at(3_000, "beacon"),
        ]
    )

    static let playbackModes = Scenario(
        "Full screen is a playback mode, and its change an event",
        tracker: Mux.selection(),
        steps: [
            .at(0, show { $0.moreOfState = { $0.fullscreen(false) } }), .at(0, .load), .at(0, .play),
            .at(1_000, show { $0.moreOfState = { $0.fullscreen(true) } }), .at(1_000, .sample),
            .at(2_000, .sample), .at(3_000, custom("playbackmodechange", ["player_playback_mode": .string("pip")])),
            .at(4_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(
                1_000,
                "playbackmodechange",
                ["player_playback_mode": .string("fullscreen"), "player_is_fullscreen": .bool(true)]
            ), .at(1_000, "playing"),
            .at(3_000, "playbackmodechange", ["player_playback_mode": .string("pip")]),
        ] + end(4_000)
    )

    static let rates = Scenario(
        "Another playback rate is an event, and slow playback is no stall",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .rate(0.5)), .at(1_800, .sample),
            .at(2_600, .sample), .at(3_000, .unload),
        ],
        expected: opening + start(0) + [.at(0, "playing"), .at(1_000, "ratechange")] + end(3_000)
    )

    static let deliveryNetworks = Scenario(
        "Another delivery network is an event with the one before",
        tracker: Mux.selection(),
        steps: [
            .at(0, show { $0.moreOfVideo = { $0.cdn("one") } }), .at(0, .load), .at(0, .play),
            .at(1_000, show { $0.moreOfVideo = { $0.cdn("two") } }), .at(1_000, .metadata(name: "Synthetic")),
            .at(2_000, custom("cdnchange", ["video_cdn": .string("three")])), .at(3_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(1_000, "data", ["video_cdn": .string("two")]),
            .at(1_000, "cdnchange", ["video_previous_cdn": .string("one")]),
            .at(2_000, "data", ["video_cdn": .string("three")]),
            .at(2_000, "cdnchange", ["video_previous_cdn": .string("two")]),
        ] + end(3_000)
    )

    static let orientation = Scenario(
        "Portrait is 90 degrees about z, landscape 0; events of the application under Mux's names are Mux's",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play),
            .at(100, custom("orientationchange", ["orientation": .string("portrait")])),
            .at(200, custom("orientationchange", ["orientation": .string("landscape")])),
            .at(300, custom("networkchange", ["viewer_connection_type": .string("wifi")])),
            .at(400, custom("audiotrackchange")), .at(500, custom("texttrackchange")), .at(600, custom("waiting")),
            .at(700, custom("loadstart")), .at(800, custom("viewend")), .at(900, custom("something")),
            .at(1_000, .unload),
        ],
        expected: opening + start(0) + [
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
        ] + end(1_000)
    )

    static let programme = Scenario(
        "Another programme in one stream: a view of its own that goes on playing",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(3_000, custom("programchange", ["video_title": .string("News")])), .at(4_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(0, "playing"), .at(3_000, "viewend"), .at(3_000, "beacon"), .at(3_000, "viewmetrics"),
            .at(3_000, "viewinit", ["video_title": .string("News")], lacks: ["video_id"]),
            .at(3_000, "data", ["video_title": .string("News")], lacks: ["video_change"]), .at(3_000, "viewstart"),
            .at(3_000, "beacon"), .at(3_000, "play", ["view_program_changed": .bool(true)]), .at(3_000, "playing"),
        ] + end(4_000, ["watch_time_ms": .int(1_000)])
    )

    static let timeUpdates = Scenario(
        "Each sample is a time update with the player and video data",
        tracker: Mux.selection(["timeUpdates": true]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(250, .sample), .at(500, .sample), .at(600, .unload),
        ],
        expected: opening + start(0) + [
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
        ] + end(600)
    )

    static let requests = Scenario(
        "A request tells when it was asked, answered and complete; throughput counts from the answer's begin",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load),
            .at(
                1_000,
                call { _, run in
                    var request = NetworkRequest()
                    request.url = "https://media.example/1.ts"
                    request.host = "media.example"
                    request.type = "media"
                    request.id = "r-1"
                    request.bytes = 50_000
                    request.duration = 0.5
                    request.firstByte = 0.1
                    request.mediaStart = 12
                    request.mediaDuration = 6.006
                    request.bitrate = 800_000
                    request.width = 640
                    request.height = 360
                    run.trackRequestCompleted(request)
                }
            ),
            .at(
                2_000,
                call { _, run in
                    var request = NetworkRequest()
                    request.bytes = 10_000
                    request.duration = 0.2
                    run.trackRequestCompleted(request)
                }
            ),
            .at(3_000, .requestFailed(status: 404)), .at(4_000, .requestCancelled), .at(5_000, .unload),
        ],
        expected: opening + [
            .at(
                1_000,
                "requestcompleted",
                [
                    "request_start": .int(1_700_000_000_500), "request_response_start": .int(1_700_000_000_600),
                    "request_response_end": .int(1_700_000_001_000), "request_bytes_loaded": .int(50_000),
                    "request_type": .string("media"), "request_hostname": .string("media.example"),
                    "request_id": .string("r-1"), "request_url": .string("https://media.example/1.ts"),
                    "request_labeled_bitrate": .int(800_000), "request_media_duration": .double(6.006),
                    "request_media_start_time": .int(12), "request_video_width": .int(640),
                    "request_video_height": .int(360), "view_request_count": .int(1),
                    "view_min_request_throughput": .int(1_000_000),
                    "view_average_request_throughput": .int(1_000_000), "view_max_request_latency": .int(100),
                    "view_average_request_latency": .int(100),
                ]
            ),
            .at(
                2_000,
                "requestcompleted",
                [
                    "view_min_request_throughput": .int(400_000), "view_average_request_throughput": .int(800_000),
                    "request_start": .int(1_700_000_001_800),
                ],
                lacks: ["request_response_start", "request_url", "request_type"]
            ),
            .at(
                3_000,
                "requestfailed",
                [
                    "request_error": .string("HTTP 404"), "request_error_code": .int(404),
                    "view_request_failed_count": .int(1),
                ]
            ),
            .at(
                4_000,
                "requestcanceled",
                ["request_cancel": .bool(true), "view_request_canceled_count": .int(1)],
                lacks: ["request_error"]
            ), .at(5_000, "viewend", ["view_request_count": .int(4)]), .at(5_000, "beacon"),
        ]
    )

    static let requestsByDefault = Scenario(
        "A request without times and bytes is counted and measures nothing",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(500, .requestCompleted(bytes: 0)), .at(1_000, .unload)],
        expected: opening + [
            .at(
                500,
                "requestcompleted",
                ["view_request_count": .int(1)],
                lacks: ["view_min_request_throughput", "view_max_request_latency", "request_start"]
            ), .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )

    static let renditionLists = Scenario(
        "A manifest request carries the renditions that are known; the application's own list wins",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load),
            .at(
                100,
                rendition {
                    $0.phase = .decided
                    $0.bitrate = 800_000
                    $0.width = 640
                    $0.height = 360
                    $0.framesPerSecond = 25
                    $0.codec = "avc1.4d401e"
                    $0.name = "360p"
                }
            ),
            .at(
                200,
                call { _, run in
                    var request = NetworkRequest()
                    request.type = "manifest"
                    run.trackRequestCompleted(request)
                }
            ), .at(1_000, .unload),
        ],
        expected: opening + [
            .at(
                200,
                "requestcompleted",
                [
                    "request_rendition_lists": .string(
                        #"[{"name":"360p","width":640,"height":360,"fps":25,"bitrate":800000,"codec":"avc1.4d401e"}]"#
                    )
                ]
            ), .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )

    private static func error(_ details: PlayerErrorDetails) -> PlayerAction {
        call { _, run in run.trackVideoPlayerError("E1", details) }
    }

    static let fatalError = Scenario(
        "A fatal error stays in the player data of the view and is gone with the next one",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(2_000, error(.init(message: "lost", code: 5, fatal: true, context: "segment 7"))),
            .at(3_000, .requestFailed(status: 500)), .at(4_000, .load), .at(5_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"), .at(0, "viewinit", lacks: ["player_error_code", "player_error_message"]),
            .at(0, "data"), .at(0, "playerready"),
        ] + start(0) + [
            .at(0, "playing", lacks: ["player_error_code", "player_error_context"]),
            .at(
                2_000,
                "error",
                [
                    "player_error_code": .int(5), "player_error_message": .string("lost"),
                    "player_error_context": .string("segment 7"), "player_error_severity": .string("fatal"),
                ]
            ), .at(2_000, "beacon"),
            .at(
                3_000,
                "requestfailed",
                [
                    "player_error_code": .int(5), "player_error_message": .string("lost"),
                    "player_error_context": .string("segment 7"),
                ]
            ),
            .at(4_000, "viewend", ["player_error_code": .int(5), "view_watch_time": .int(2_000)]),
            .at(4_000, "beacon"),
            .at(
                4_000,
                "viewmetrics",
                [
                    "playback_failure": .bool(true), "video_startup_failure": .bool(false),
                    "playback_success_score": .int(0),
                ]
            ),
            .at(4_000, "viewinit", lacks: ["player_error_code", "player_error_severity"]), .at(4_000, "data"),
            .at(5_000, "viewend"), .at(5_000, "beacon"),
        ]
    )

    static let warning = Scenario(
        "A warning is told by its own event alone, and playback goes on",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .playerError("W1")), .at(3_000, .pause),
            .at(4_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(0, "playing"),
            .at(
                2_000,
                "error",
                [
                    "player_error_severity": .string("warning"), "player_error_code": .int(7),
                    "player_error_message": .string("synthetic"),
                ]
            ),
            .at(
                3_000,
                "pause",
                ["view_watch_time": .int(3_000)],
                lacks: ["player_error_code", "player_error_severity"]
            ),
        ] + end(4_000, ["playback_failure": .bool(false), "playback_success_score": .int(100)])
    )

    static let errorBeforeStart = Scenario(
        "An error before the first frame is a failed start, and no exit",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(0, .play), .at(1_000, error(.init(message: "no manifest"))), .at(2_000, .unload)],
        expected: opening + start(0) + [
            .at(1_000, "error", ["player_error_code": .string("E1"), "player_error_severity": .string("fatal")]),
            .at(1_000, "beacon"),
        ]
            + end(
                2_000,
                [
                    "video_startup_failure": .bool(true), "playback_failure": .bool(true),
                    "exit_before_video_start": .bool(false),
                ]
            )
    )

    static let businessException = Scenario(
        "A business exception is no failure of playback",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(
                1_000,
                call { player, run in
                    player.change { $0.moreOfState = { $0.custom("player_error_business_exception", .bool(true)) } }
                    run.trackVideoPlayerError("LOGIN", .init(message: "log in first", fatal: true))
                }
            ), .at(2_000, .unload),
        ],
        expected: opening + start(0) + [
            .at(0, "playing"), .at(1_000, "error", ["player_error_business_exception": .bool(true)]),
            .at(1_000, "beacon"),
        ]
            + end(
                2_000,
                [
                    "business_exception": .bool(true), "playback_failure": .bool(false),
                    "playback_success_score": .int(100),
                ]
            )
    )

    static let scaling = Scenario(
        "320 lines of picture that fill 640 are scaled up by 100 %",
        tracker: Mux.selection(),
        steps: [
            .at(
                0,
                show {
                    $0.moreOfQuality = { $0.size(width: 320, height: 180) }
                    $0.moreOfState = { $0.playerSize(width: 640, height: 360) }
                }
            ),
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .pause), .at(3_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"), .at(0, "viewinit", ["player_width": .int(640), "player_height": .int(360)]),
            .at(0, "data"), .at(0, "playerready"),
        ] + start(0) + [
            .at(0, "playing"),
            .at(
                2_000,
                "pause",
                [
                    "view_max_upscale_percentage": .int(1), "view_total_upscaling": .int(2_000),
                    "view_total_content_playback_time": .int(2_000), "view_total_downscaling": .int(0),
                    "view_max_downscale_percentage": .int(0),
                ]
            ),
        ] + end(3_000, ["upscale_percentage": .int(1), "video_quality_score": .double(71.9)])
    )

    static let silence = Scenario(
        "After more than an hour of silence an event belongs to another view of the same video",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .pause), .at(3_601_001, .play),
            .at(3_602_000, .unload),
        ],
        expected: opening + start(0) + [.at(0, "playing"), .at(1_000, "pause"), .at(10_000, "beacon")]
            + end(3_601_001, ["watch_time_ms": .int(1_000)]) + [
                .at(
                    3_601_001,
                    "viewinit",
                    ["player_view_count": .int(2), "video_title": .string("Synthetic")]
                ), .at(3_601_001, "data", lacks: ["video_change"]), .at(3_601_001, "viewstart"),
                .at(3_601_001, "beacon"), .at(3_601_001, "play"), .at(3_601_001, "playing"),
            ] + end(3_602_000)
    )
}
