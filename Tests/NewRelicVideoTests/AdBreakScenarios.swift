import PluginKit
import Tally
import TallyTesting

/// What belongs to the content and what to the ad while a break is on.
enum AdBreakScenarios {
    static let all: [Scenario] = [
        fetchedAds, movingContent, contentAlone, whosePicture, pictureIsBackBeforeTheEnd, unknownPicture,
        counterparts, readyMadeBindings,
    ]

    private static func tracker(_ configuration: JSONObject = [:]) -> PluginSelection {
        PluginSelection("com.newrelic.video", name: "newrelic", configuration: .object(configuration))
    }

    /// The player holds the content, or lets it go on, and makes no track call.
    private static func content(moves: Bool) -> PlayerAction {
        .call(
            PlayerCall(moves ? "the content moves" : "the content stands") { player, _ in
                player.change { $0.moving = moves }
            }
        )
    }

    private static func shows(_ width: Int32, _ height: Int32, bitrate: Int64) -> PlayerAction {
        .call(
            PlayerCall("\(width)x\(height)") { player, _ in
                player.change {
                    $0.bitrate = bitrate
                    $0.moreOfQuality = { $0.size(width: width, height: height) }
                }
            }
        )
    }

    static let fetchedAds = Scenario(
        "Nothing of the content is played while ads are fetched",
        tracker: tracker(["heartbeatSeconds": 0]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(10_000, content(moves: false)),
            .at(10_000, .adBreakStart), .at(14_000, .adStart(1)), .at(20_000, .adComplete), .at(22_000, .adStart(2)),
            .at(25_000, .adComplete), .at(25_500, .adBreakComplete), .at(25_500, content(moves: true)),
            .at(30_000, .complete), .at(30_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"), .at(10_000, "TRACKER_READY"),
            .at(10_000, "AD_BREAK_START"), .at(14_000, "AD_REQUEST"),
            .at(14_000, "CONTENT_PAUSE", ["totalPlaytime": .int(10_000), "playtimeSinceLastEvent": .int(10_000)]),
            .at(14_000, "AD_START"), .at(20_000, "AD_END", ["totalPlaytime": .int(6_000)]),
            .at(20_000, "CONTENT_RESUME"), .at(22_000, "AD_REQUEST"),
            .at(22_000, "CONTENT_PAUSE", ["totalPlaytime": .int(10_000)]), .at(22_000, "AD_START"),
            .at(25_000, "AD_END"), .at(25_000, "CONTENT_RESUME"), .at(25_500, "AD_BREAK_END"),
            .at(30_000, "CONTENT_END", ["totalPlaytime": .int(14_500)]),
        ]
    )

    static let movingContent = Scenario(
        "A break that the player never ends does not stop the play time of a content that moves",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(10_000, .adBreakStart), .at(10_000, .adStart(1)),
            .at(15_000, .adComplete), .at(25_000, .complete), .at(25_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"), .at(10_000, "TRACKER_READY"),
            .at(10_000, "AD_BREAK_START"), .at(10_000, "AD_REQUEST"), .at(10_000, "CONTENT_PAUSE"),
            .at(10_000, "AD_START"), .at(15_000, "AD_END"), .at(15_000, "CONTENT_RESUME"),
            .at(25_000, "CONTENT_END", ["totalPlaytime": .int(20_000)]), .at(25_000, "AD_BREAK_END"),
        ]
    )

    static let contentAlone = Scenario(
        "A tracker of the content alone, which hears no ads, does not count them as its play time",
        tracker: tracker(["trackers": "content"]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(10_000, content(moves: false)),
            .at(10_000, .adBreakStart), .at(11_000, .adStart(1)), .at(16_000, .adComplete),
            .at(16_000, .adBreakComplete), .at(16_000, content(moves: true)), .at(20_000, .complete),
            .at(20_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(20_000, "CONTENT_END", ["totalPlaytime": .int(14_000)]),
        ]
    )

    private static let ofContent: [String: PlainValue] = [
        "contentRenditionWidth": .int(640), "contentRenditionHeight": .int(360), "contentBitrate": .int(3_000_000),
    ]
    private static let ofAd: [String: PlainValue] = [
        "adRenditionWidth": .int(160), "adRenditionHeight": .int(90), "adBitrate": .int(200_000),
    ]
    private static let adFigures = ["adRenditionWidth", "adRenditionHeight", "adBitrate"]

    static let whosePicture = Scenario(
        "Events of an ad tell the ad's picture, those of the content the content's",
        tracker: tracker(["heartbeatSeconds": 3]),
        steps: [
            .at(0, shows(640, 360, bitrate: 3_000_000)), .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(2_000, .adBreakStart), .at(2_000, shows(160, 90, bitrate: 200_000)), .at(2_000, .adStart(1)),
            .at(4_000, .pause), .at(4_500, .custom(name: "NOTE", value: .int(1))), .at(4_600, .play),
            .at(5_500, .adComplete), .at(5_500, shows(640, 360, bitrate: 3_000_000)), .at(5_500, .adBreakComplete),
            .at(7_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START", ofContent),
            .at(2_000, "TRACKER_READY"), .at(2_000, "AD_BREAK_START", lacks: adFigures),
            .at(2_000, "AD_REQUEST", ofAd), .at(2_000, "CONTENT_PAUSE", ofContent), .at(2_000, "AD_START", ofAd),
            .at(3_000, "CONTENT_HEARTBEAT", ofContent), .at(4_000, "AD_PAUSE", ofAd),
            .at(4_500, "NOTE", ofContent), .at(4_600, "AD_RESUME", ofAd), .at(5_000, "AD_HEARTBEAT", ofAd),
            .at(5_500, "AD_END", lacks: adFigures), .at(5_500, "CONTENT_RESUME", ofContent),
            .at(5_500, "AD_BREAK_END", lacks: adFigures), .at(6_000, "CONTENT_HEARTBEAT", ofContent),
            .at(7_000, "CONTENT_END", ofContent),
        ]
    )

    static let pictureIsBackBeforeTheEnd = Scenario(
        "A player that shows the content again when it says that the ad is over",
        tracker: tracker(),
        steps: [
            .at(0, shows(640, 360, bitrate: 3_000_000)), .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(2_000, shows(160, 90, bitrate: 200_000)), .at(2_000, .adStart(1)), .at(3_000, .bufferStart(.stall)),
            .at(4_000, shows(640, 360, bitrate: 3_000_000)), .at(4_000, .adComplete), .at(5_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"), .at(2_000, "TRACKER_READY"),
            .at(2_000, "AD_REQUEST", ofAd), .at(2_000, "CONTENT_PAUSE", ofContent), .at(2_000, "AD_START", ofAd),
            .at(3_000, "AD_BUFFER_START", ofAd), .at(4_000, "AD_BUFFER_END", ofAd),
            .at(4_000, "AD_END", lacks: adFigures), .at(4_000, "CONTENT_RESUME", ofContent),
            .at(5_000, "CONTENT_END", ofContent),
        ]
    )

    static let unknownPicture = Scenario(
        "Of an ad whose picture the player does not know, nothing is told",
        tracker: tracker(),
        steps: [
            .at(0, shows(640, 360, bitrate: 3_000_000)), .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(2_000, shows(0, 0, bitrate: 0)), .at(2_000, .adStart(1)), .at(3_000, .pause),
            .at(3_000, shows(160, 90, bitrate: 200_000)), .at(4_000, .play),
            .at(5_000, .rendition(bitrate: 2_000_000, shift: .up, phase: .visible)),
            .at(5_500, shows(640, 360, bitrate: 3_000_000)), .at(5_500, .adSkip), .at(6_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"), .at(2_000, "TRACKER_READY"),
            .at(2_000, "AD_REQUEST", lacks: adFigures), .at(2_000, "CONTENT_PAUSE", ofContent),
            .at(2_000, "AD_START", lacks: adFigures), .at(3_000, "AD_PAUSE", lacks: adFigures),
            .at(4_000, "AD_RESUME", ofAd), .at(5_000, "CONTENT_RENDITION_CHANGE", ofContent, lacks: adFigures),
            .at(5_500, "AD_END"), .at(5_500, "CONTENT_RESUME", ofContent), .at(6_000, "CONTENT_END", ofContent),
        ]
    )

    static let counterparts = Scenario(
        "All that happens to playback while an ad is shown is told of the ad; a rendition is the content's",
        tracker: tracker(["heartbeatSeconds": 5]),
        steps: [
            .at(0, .load), .at(0, .adBreakStart), .at(0, .adStart(1)), .at(1_000, .bufferStart(.stall)),
            .at(1_100, .bufferComplete), .at(1_200, .pause), .at(1_300, .seekStart(to: 3)), .at(1_400, .seekComplete),
            .at(1_500, .play), .at(2_000, .rendition(bitrate: 900_000, shift: .up, phase: .visible)),
            .at(3_000, .adError("E")), .at(6_000, .adComplete), .at(6_000, .adBreakComplete), .at(6_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "TRACKER_READY"), .at(0, "AD_BREAK_START"),
            .at(0, "AD_REQUEST", ["isAd": .int(1)]), .at(0, "AD_START"), .at(1_000, "AD_BUFFER_START"),
            .at(1_100, "AD_BUFFER_END", ["timeSinceAdBufferBegin": .int(100)]), .at(1_200, "AD_PAUSE"),
            .at(1_300, "AD_SEEK_START"), .at(1_400, "AD_SEEK_END", ["timeSinceAdSeekBegin": .int(100)]),
            .at(1_500, "AD_RESUME", ["timeSinceAdPaused": .int(300)]),
            .at(
                2_000,
                "CONTENT_RENDITION_CHANGE",
                ["shift": .string("up"), "contentRenditionBitrate": .int(900_000), "isAd": .int(0)]
            ),
            .at(3_000, "AD_ERROR", ["timeSinceAdStarted": .int(3_000)]),
            .at(5_000, "AD_HEARTBEAT", ["timeSinceLastAdError": .int(2_000)], lacks: ["adRenditionBitrate"]),
            .at(6_000, "AD_END", ["timeSinceLastAdHeartbeat": .int(1_000), "timeSinceAdRequested": .int(6_000)]),
            .at(6_000, "AD_BREAK_END"), .at(6_000, "CONTENT_END"),
        ]
    )

    static let readyMadeBindings = Scenario(
        "What the vendor's trackers of a player and of IMA make of their signals",
        tracker: tracker(["trackers": "pair", "generation": "B"]),
        steps: [
            // The player's: ready, requested, and rate above 0 more than once.
            .at(0, .playerReady), .at(0, .load), .at(0, .play), .at(100, .firstFrame), .at(200, .play),
            .at(300, .bufferComplete), .at(400, .pause), .at(500, .pause), .at(600, .play),
            // IMA's: break, started, three quartiles, tapped, completed; the next one is skipped, and a fault.
            .at(1_000, .show(.adBreakType("mid"))), .at(1_000, .adBreakStart), .at(1_000, .adStart(1)),
            .at(1_100, .adQuartile(.first)), .at(1_200, .adQuartile(.second)), .at(1_300, .adClick),
            .at(1_400, .adQuartile(.third)), .at(1_500, .adComplete), .at(1_500, .adStart(2)), .at(1_600, .adSkip),
            .at(1_700, .adError("IMA")), .at(1_800, .adBreakComplete),
            // The player's again: the end, and an item that takes its place.
            .at(2_000, .complete), .at(2_100, .load), .at(2_200, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "TRACKER_READY"), .at(0, "PLAYER_READY"), .at(0, "PLAYER_READY"),
            .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_START"), .at(400, "CONTENT_PAUSE"),
            .at(600, "CONTENT_RESUME"), .at(1_000, "AD_BREAK_START"),
            .at(1_000, "AD_REQUEST", ["adQuartile": .int(0)]), .at(1_000, "CONTENT_PAUSE"),
            .at(1_000, "AD_START", ["adQuartile": .int(0)]), .at(1_100, "AD_QUARTILE", ["adQuartile": .int(1)]),
            .at(1_200, "AD_QUARTILE", ["adQuartile": .int(2)]), .at(1_300, "AD_CLICK"),
            .at(1_400, "AD_QUARTILE", ["adQuartile": .int(3)]), .at(1_500, "AD_END", ["adSkipped": .int(0)]),
            .at(1_500, "CONTENT_RESUME"), .at(1_500, "AD_REQUEST"), .at(1_500, "CONTENT_PAUSE"),
            .at(1_500, "AD_START", ["numberOfAds": .int(2)]), .at(1_600, "AD_END", ["adSkipped": .int(1)]),
            .at(1_600, "CONTENT_RESUME"), .at(1_700, "AD_ERROR", ["eventType": .string("VideoErrorAction")]),
            .at(1_800, "AD_BREAK_END"), .at(2_000, "CONTENT_END"), .at(2_000, "QOE_AGGREGATE"),
            .at(2_100, "CONTENT_REQUEST"), .at(2_200, "CONTENT_END"), .at(2_200, "QOE_AGGREGATE"),
        ]
    )
}
