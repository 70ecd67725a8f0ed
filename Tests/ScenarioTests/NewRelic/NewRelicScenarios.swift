import Tally
import TallyTesting

/// What the New Relic tracker says of a playback: times and attributes as its data model has them.
enum NewRelicScenarios {
    static let all: [Scenario] = [
        completePlayback, pauseAndSeek, stall, abandoned, errorBeforeStart, heartbeat, renditions, secondSession,
        cancelledEnd, drainedEnd, sleep,
    ]

    private static let tracker = PluginSelection("com.newrelic.video", name: "newrelic")

    static let completePlayback = Scenario(
        "A playback from load to end",
        tracker: tracker,
        sampled: true,
        steps: [
            .at(0, .playerReady), .at(100, .load), .at(200, .play), .at(700, .firstFrame), .at(5_700, .complete),
            .at(5_800, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"),
            .at(0, "PLAYER_READY", ["timeSinceTrackerReady": .int(0)]),
            .at(
                100,
                "CONTENT_REQUEST",
                ["contentTitle": .string("Synthetic"), "contentIsLive": .int(0), "eventType": .string("MobileVideo")],
                lacks: ["timeSinceRequested"]
            ),
            .at(
                700,
                "CONTENT_START",
                [
                    "timeSinceRequested": .int(600), "totalPlaytime": .int(0), "numberOfVideos": .int(1),
                    "contentBitrate": .int(3_000_000), "contentFps": .double(25), "timestamp": .int(1_700_000_000_700),
                ]
            ),
            .at(
                5_700,
                "CONTENT_END",
                [
                    "timeSinceStarted": .int(5_000), "totalPlaytime": .int(5_000), "contentPlayhead": .int(5_500),
                    "playtimeSinceLastEvent": .int(5_000),
                ]
            ),
        ]
    )

    static let pauseAndSeek = Scenario(
        "Pause, two seeks before one completes, and play",
        tracker: tracker,
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_100, .pause), .at(3_000, .seekStart(to: 60)),
            .at(3_500, .seekStart(to: 90)), .at(4_000, .seekComplete), .at(5_100, .play), .at(6_100, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_START"),
            .at(2_100, "CONTENT_PAUSE", ["totalPlaytime": .int(2_000)]),
            .at(3_000, "CONTENT_SEEK_START", ["playtimeSinceLastEvent": .int(0)]),
            .at(4_000, "CONTENT_SEEK_END", ["timeSinceSeekBegin": .int(1_000), "contentPlayhead": .int(90_000)]),
            .at(5_100, "CONTENT_RESUME", ["timeSincePaused": .int(3_000)]),
            .at(6_100, "CONTENT_END", ["totalPlaytime": .int(3_000)]),
        ]
    )

    static let stall = Scenario(
        "Initial buffering and a stall",
        tracker: tracker,
        steps: [
            .at(0, .load), .at(0, .bufferStart(.initial)), .at(400, .bufferComplete), .at(500, .play),
            .at(600, .firstFrame), .at(4_600, .bufferStart(.stall)), .at(6_600, .bufferComplete), .at(8_600, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"),
            .at(0, "CONTENT_BUFFER_START", ["bufferType": .string("initial")]),
            .at(400, "CONTENT_BUFFER_END", ["timeSinceBufferBegin": .int(400), "bufferType": .string("initial")]),
            .at(600, "CONTENT_START"),
            .at(4_600, "CONTENT_BUFFER_START", ["bufferType": .string("connection"), "totalPlaytime": .int(4_000)]),
            .at(
                6_600,
                "CONTENT_BUFFER_END",
                ["timeSinceBufferBegin": .int(2_000), "playtimeSinceLastEvent": .int(0)]
            ),
            .at(8_600, "CONTENT_END", ["totalPlaytime": .int(6_000)]),
        ]
    )

    static let abandoned = Scenario(
        "A session that is left before it starts",
        tracker: tracker,
        steps: [.at(0, .load), .at(100, .play), .at(900, .unload)],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"),
            .at(900, "CONTENT_END", ["totalPlaytime": .int(0), "numberOfVideos": .int(0)]),
        ]
    )

    static let errorBeforeStart = Scenario(
        "An error is counted in the view that met it",
        tracker: tracker,
        steps: [
            .at(0, .load), .at(50, .playerError("E404")), .at(100, .unload), .at(200, .load), .at(300, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"),
            .at(
                50,
                "CONTENT_ERROR",
                ["errorMessage": .string("synthetic"), "errorCode": .int(7), "numberOfErrors": .int(1)]
            ),
            .at(100, "CONTENT_END", ["numberOfErrors": .int(1)]),
            .at(200, "CONTENT_REQUEST", ["numberOfErrors": .int(0), "timeSinceLastError": .int(150)]),
            .at(300, "CONTENT_END"),
        ]
    )

    static let heartbeat = Scenario(
        "A heartbeat every 30 s between start and end, paused or not",
        tracker: PluginSelection("com.newrelic.video", name: "newrelic"),
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .firstFrame), .at(41_000, .pause), .at(70_000, .unload),
            .at(120_000, .sample),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(1_000, "CONTENT_START"),
            .at(31_000, "CONTENT_HEARTBEAT", ["totalPlaytime": .int(30_000)], lacks: ["timeSinceLastHeartbeat"]),
            .at(41_000, "CONTENT_PAUSE", ["timeSinceLastHeartbeat": .int(10_000)]),
            .at(61_000, "CONTENT_HEARTBEAT", ["timeSinceLastHeartbeat": .int(30_000), "totalPlaytime": .int(40_000)]),
            .at(70_000, "CONTENT_RESUME"),
            .at(70_000, "CONTENT_END"),
        ]
    )

    static let renditions = Scenario(
        "A rendition change is said when it is visible",
        tracker: tracker,
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame),
            .at(1_000, .rendition(bitrate: 900_000, shift: .down, phase: .decided)),
            .at(3_000, .rendition(bitrate: 900_000, shift: .down, phase: .visible)), .at(4_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_START"),
            .at(
                3_000,
                "CONTENT_RENDITION_CHANGE",
                ["shift": .string("down"), "contentRenditionBitrate": .int(900_000), "contentBitrate": .int(900_000)]
            ),
            .at(4_000, "CONTENT_END"),
        ]
    )

    static let secondSession = Scenario(
        "A load while a session is open ends that session first",
        tracker: tracker,
        steps: [.at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(2_000, .load), .at(2_500, .unload)],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_START"), .at(2_000, "CONTENT_END"),
            .at(2_000, "CONTENT_REQUEST", ["timeSinceRequested": .int(2_000)]), .at(2_500, "CONTENT_END"),
        ]
    )

    static let cancelledEnd = Scenario(
        "Complete and unload are lost when destroy cancels what is queued",
        tracker: tracker,
        end: .cancel,
        endsAtOnce: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(9_000, .complete), .at(9_000, .unload),
        ],
        expected: [.at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_START")]
    )

    static let drainedEnd = Scenario(
        "Complete and unload are kept when destroy drains",
        tracker: tracker,
        endsAtOnce: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(9_000, .complete), .at(9_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_START"), .at(9_000, "CONTENT_END"),
        ]
    )

    static let sleep = Scenario(
        "A sleep of the machine is no play time, and what was due in it comes once",
        tracker: tracker,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .sleep(20_000, to: 3_620_000), .at(3_621_000, .sample),
            .at(3_640_000, .pause), .sleep(3_650_000, to: 7_250_000), .at(7_251_000, .play), .at(7_252_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(3_630_000, "CONTENT_HEARTBEAT", ["totalPlaytime": .int(30_000)]),
            .at(3_640_000, "CONTENT_PAUSE", ["totalPlaytime": .int(40_000), "timeSinceStarted": .int(3_640_000)]),
            .at(7_251_000, "CONTENT_RESUME", ["timeSincePaused": .int(3_611_000)]),
            .at(7_252_000, "CONTENT_END", ["totalPlaytime": .int(41_000)]),
        ]
    )
}
