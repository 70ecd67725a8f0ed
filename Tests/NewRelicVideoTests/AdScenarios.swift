import PluginKit
import Tally
import TallyTesting

/// Ads, generations and delivery on a whole player run.
enum AdScenarios {
    static let all: [Scenario] = [preRoll, midRoll, pairFromTheBeginning, adsAlone, generationB, delivered]

    private static func tracker(_ configuration: JSONObject = [:]) -> PluginSelection {
        PluginSelection("com.newrelic.video", name: "newrelic", configuration: .object(configuration))
    }

    static let preRoll = Scenario(
        "A break of two ads before the content, one of them skipped",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(90, .adBreakStart), .at(200, .adStart(1)),
            .at(3_950, .adQuartile(.first)),
            .at(5_000, .adClick), .at(7_700, .adQuartile(.second)), .at(11_450, .adQuartile(.third)),
            .at(15_200, .adComplete), .at(15_200, .adStart(2)), .at(20_200, .adSkip), .at(20_300, .adBreakComplete),
            .at(21_000, .firstFrame), .at(22_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"),
            .at(90, "TRACKER_READY", ["isAd": .int(1)]),
            .at(90, "AD_BREAK_START", ["adPosition": .string("pre"), "isAd": .int(1)], lacks: ["contentTitle"]),
            .at(200, "AD_REQUEST", ["adTitle": .string("Ad 1"), "adQuartile": .int(0), "adDuration": .int(15_000)]),
            .at(200, "AD_START", ["numberOfAds": .int(1), "timeSinceAdRequested": .int(0)], lacks: ["adIsLive"]),
            .at(3_950, "AD_QUARTILE", ["adQuartile": .int(1)], lacks: ["timeSinceLastAdQuartile"]),
            .at(5_000, "AD_CLICK", ["timeSinceAdStarted": .int(4_800)]),
            .at(7_700, "AD_QUARTILE", ["adQuartile": .int(2), "timeSinceLastAdQuartile": .int(3_750)]),
            .at(11_450, "AD_QUARTILE", ["adQuartile": .int(3)]),
            .at(
                15_200,
                "AD_END",
                ["totalPlaytime": .int(15_000), "numberOfAds": .int(1), "adPlayhead": .int(15_000)]
            ),
            .at(
                15_200,
                "AD_REQUEST",
                ["adTitle": .string("Ad 2"), "totalPlaytime": .int(0), "adPlayhead": .int(0)]
            ),
            .at(15_200, "AD_START", ["numberOfAds": .int(2)]),
            .at(20_200, "AD_END", ["totalPlaytime": .int(5_000), "adPlayhead": .int(5_000)], lacks: ["adSkipped"]),
            .at(
                20_300,
                "AD_BREAK_END",
                ["timeSinceAdBreakBegin": .int(20_210), "totalAdPlaytime": .int(20_000)]
            ),
            .at(
                21_000,
                "CONTENT_START",
                [
                    "totalAdPlaytime": .int(20_000), "numberOfAds": .int(2), "timeSinceLastAd": .int(800),
                    "totalPlaytime": .int(0),
                ]
            ),
            .at(22_000, "CONTENT_END", ["timeSinceLastAd": .int(1_800), "totalPlaytime": .int(1_000)]),
        ]
    )

    static let midRoll = Scenario(
        "The content stands while an ad is shown, and what happens to playback happens to the ad",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(10_000, .adBreakStart), .at(10_000, .adStart(1)),
            .at(11_000, .bufferStart(.stall)), .at(11_500, .bufferComplete), .at(12_000, .pause), .at(13_000, .play),
            .at(13_500, .adError("E1")), .at(14_000, .adComplete), .at(14_500, .bufferStart(.stall)),
            .at(15_000, .bufferComplete), .at(15_000, .adBreakComplete), .at(16_000, .complete), .at(16_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"), .at(10_000, "TRACKER_READY"),
            .at(10_000, "AD_BREAK_START", lacks: ["adPosition"]), .at(10_000, "AD_REQUEST"),
            .at(10_000, "CONTENT_PAUSE", ["totalPlaytime": .int(10_000), "numberOfAds": .int(1)]),
            .at(10_000, "AD_START"),
            .at(11_000, "AD_BUFFER_START", ["totalPlaytime": .int(1_000)]),
            .at(11_500, "AD_BUFFER_END", ["timeSinceAdBufferBegin": .int(500)]),
            .at(12_000, "AD_PAUSE", ["totalPlaytime": .int(1_500)]),
            .at(13_000, "AD_RESUME", ["timeSinceAdPaused": .int(1_000)]),
            .at(13_500, "AD_ERROR", ["numberOfErrors": .int(1)]),
            .at(14_000, "AD_END", ["totalPlaytime": .int(2_500), "timeSinceLastAdError": .int(500)]),
            .at(14_000, "CONTENT_RESUME", ["timeSincePaused": .int(4_000), "timeSinceLastAd": .int(0)]),
            .at(14_500, "CONTENT_BUFFER_START", ["bufferType": .string("ad")]),
            .at(15_000, "CONTENT_BUFFER_END", ["bufferType": .string("ad")]),
            .at(15_000, "AD_BREAK_END", ["totalAdPlaytime": .int(2_500)]),
            .at(16_000, "CONTENT_END", ["totalPlaytime": .int(11_500), "numberOfErrors": .int(0)]),
        ]
    )

    static let pairFromTheBeginning = Scenario(
        "A pair starts together, and an unload ends what is open",
        tracker: tracker(["trackers": "pair"]),
        steps: [
            .at(0, .playerReady), .at(10, .load), .at(10, .adBreakStart), .at(20, .adStart(1)),
            .at(30, .adQuartile(.second)), .at(40, .adQuartile(.first)), .at(50, .unload), .at(60, .adClick),
        ],
        expected: [
            .at(0, "TRACKER_READY", ["isAd": .int(0)]), .at(0, "TRACKER_READY", ["isAd": .int(1)]),
            .at(0, "PLAYER_READY"), .at(0, "PLAYER_READY"), .at(10, "CONTENT_REQUEST"), .at(10, "AD_BREAK_START"),
            .at(20, "AD_REQUEST"), .at(20, "AD_START"), .at(30, "AD_QUARTILE", ["adQuartile": .int(2)]),
            .at(50, "AD_END"), .at(50, "AD_BREAK_END"), .at(50, "CONTENT_END"),
        ]
    )

    static let adsAlone = Scenario(
        "An ad tracker alone, without a tracker of the content",
        tracker: tracker(["trackers": "ad"]),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .adBreakStart), .at(200, .adStart(1)), .at(31_000, .adComplete),
            .at(31_000, .adBreakComplete), .at(31_500, .firstFrame), .at(32_000, .custom(name: "NOTE", value: .int(3))),
            .at(33_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY", ["isAd": .int(1)]), .at(100, "AD_BREAK_START", lacks: ["adPosition"]),
            .at(200, "AD_REQUEST"), .at(200, "AD_START", ["numberOfAds": .int(1)]),
            .at(30_200, "AD_HEARTBEAT", ["totalPlaytime": .int(30_000)]), .at(31_000, "AD_END"),
            .at(31_000, "AD_BREAK_END"), .at(32_000, "NOTE", ["value": .int(3), "isAd": .int(1)]),
        ]
    )

    static let generationB = Scenario(
        "Generation B: event types, attributes, ad heartbeats every 2 s, and the figures of the view",
        tracker: tracker(["generation": "B", "heartbeatSeconds": 9]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adStart(1)), .at(3_000, .adComplete), .at(5_000, .firstFrame),
            .at(9_000, .pause), .at(10_000, .play), .at(11_000, .bufferStart(.stall)), .at(12_000, .bufferComplete),
            .at(13_000, .bufferStart(.stall)), .at(15_000, .bufferComplete),
            .at(16_000, .rendition(bitrate: 900_000, shift: .down, phase: .visible)), .at(16_500, .playerError("E")),
            .at(16_600, .custom(name: "CONTENT_NOTE", value: .int(1))), .at(17_000, .unload), .at(18_000, .load),
            .at(18_000, .unload),
        ],
        expected: [
            .at(
                0,
                "TRACKER_READY",
                [
                    "eventType": .string("VideoAction"), "instrumentation.provider": .string("newrelic"),
                    "instrumentation.name": .string("Mobile/ios"), "src": .string("IOS"), "totalPlaytime": .int(0),
                ],
                lacks: ["isAd", "coreVersion", "playtimeSinceLastEvent"]
            ),
            .at(0, "CONTENT_REQUEST", lacks: ["contentBitrate"]), .at(0, "TRACKER_READY"), .at(0, "AD_REQUEST"),
            .at(
                0,
                "AD_START",
                ["eventType": .string("VideoAdAction"), "totalAdPlaytime": .int(0), "adSkipped": .int(0)],
                lacks: ["totalPlaytime"]
            ),
            .at(2_000, "AD_HEARTBEAT", ["elapsedTime": .int(2_000), "totalAdPlaytime": .int(2_000)]),
            .at(3_000, "AD_END", ["totalAdPlaytime": .int(3_000)]),
            .at(5_000, "CONTENT_START", ["contentBitrate": .int(3_000_000), "totalAdPlaytime": .int(3_000)]),
            .at(9_000, "CONTENT_PAUSE"), .at(10_000, "CONTENT_RESUME"), .at(11_000, "CONTENT_BUFFER_START"),
            .at(12_000, "CONTENT_BUFFER_END"), .at(13_000, "CONTENT_BUFFER_START"),
            .at(14_000, "CONTENT_HEARTBEAT", ["elapsedTime": .int(6_000)]), .at(15_000, "CONTENT_BUFFER_END"),
            .at(16_000, "CONTENT_RENDITION_CHANGE", ["shift": .string("down")]),
            .at(16_500, "CONTENT_ERROR", ["eventType": .string("VideoErrorAction")]),
            .at(16_600, "CONTENT_NOTE", ["eventType": .string("VideoCustomAction")]), .at(17_000, "CONTENT_END"),
            .at(
                17_000,
                "QOE_AGGREGATE",
                [
                    "eventType": .string("VideoAction"), "qoeAggregateVersion": .string("1.1.0"),
                    "startupTime": .int(2_000), "peakBitrate": .int(3_000_000), "averageBitrate": .int(2_737_500),
                    "totalPlaytime": .int(8_000), "totalRebufferingTime": .int(2_000), "rebufferingRatio": .double(25),
                    "hadStartupError": .int(0), "hadPlaybackError": .int(1), "totalSwitchUps": .int(0),
                    "totalSwitchDowns": .int(1), "totalPauseTime": .int(1_000),
                ],
                lacks: ["avgDownloadRate"]
            ),
            .at(18_000, "CONTENT_REQUEST", lacks: ["timeSinceRequested", "timeSinceStarted"]),
            .at(18_000, "CONTENT_END"), .at(18_000, "QOE_AGGREGATE", ["totalPlaytime": .int(0)]),
        ]
    )

    static let delivered = Scenario(
        "Events are delivered at the harvest and at the end of the session",
        tracker: tracker(["delivery": ["accountId": 12], "heartbeatSeconds": 0]),
        steps: [.at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(310_000, .pause), .at(311_000, .unload)],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"), .at(300_000, "beacon"),
            .at(310_000, "CONTENT_PAUSE"), .at(311_000, "CONTENT_RESUME"), .at(311_000, "CONTENT_END"),
            .at(311_000, "beacon"),
        ]
    )
}
