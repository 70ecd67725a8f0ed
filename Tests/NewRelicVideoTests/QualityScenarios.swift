import PluginKit
import Tally
import TallyTesting

/// Generation B's figures of a view on a whole player run.
enum QualityScenarios {
    static let all: [Scenario] = [
        zeroIsNoMeasurement, renditionBitrateAlone, neverStarted(on: "ios"), neverStarted(on: "android"),
        failedBeforeStart, everySecondCycle, rateOfZero, rateOfZeroInAd, seekBeforeStart, stallBeyondTheEnd,
    ]

    private static func tracker(_ more: JSONObject = [:]) -> PluginSelection {
        var configuration: JSONObject = ["generation": "B", "heartbeatSeconds": 0]
        for member in more { configuration[member.key] = member.value }
        return PluginSelection("com.newrelic.video", name: "newrelic", configuration: .object(configuration))
    }

    /// What the player shows from now on, without a track call; 0 is what many players say while they do not know.
    private static func shows(_ width: Int32, _ height: Int32, bitrate: Int64?) -> PlayerAction {
        .call(
            PlayerCall("\(width)x\(height) at \(bitrate ?? -1)") { player, _ in
                player.change {
                    $0.bitrate = bitrate
                    $0.moreOfQuality = { $0.size(width: width, height: height) }
                }
            }
        )
    }

    static let zeroIsNoMeasurement = Scenario(
        "A bitrate of 0 and a picture without width or height are no measurements",
        tracker: tracker(),
        steps: [
            .at(0, shows(0, 0, bitrate: 0)), .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, shows(1280, 0, bitrate: 0)), .at(1_000, .pause), .at(2_000, .play), .at(3_000, .unload),
            .at(4_000, .load), .at(4_000, .play), .at(4_000, .firstFrame),
            .at(5_000, shows(1280, 720, bitrate: 2_000_000)), .at(5_000, .pause), .at(5_000, .play),
            .at(7_000, shows(0, 720, bitrate: 0)), .at(7_000, .pause), .at(7_000, .play), .at(9_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START", ["contentBitrate": .int(0)]),
            .at(1_000, "CONTENT_PAUSE"), .at(2_000, "CONTENT_RESUME"), .at(3_000, "CONTENT_END"),
            .at(
                3_000,
                "QOE_AGGREGATE",
                ["totalRenditions": .int(0), "totalPlaytime": .int(2_000), "startupTime": .int(0)],
                lacks: ["peakBitrate", "averageBitrate"]
            ),
            .at(4_000, "CONTENT_REQUEST"), .at(4_000, "CONTENT_START"), .at(5_000, "CONTENT_PAUSE"),
            .at(5_000, "CONTENT_RESUME"), .at(7_000, "CONTENT_PAUSE"), .at(7_000, "CONTENT_RESUME"),
            .at(9_000, "CONTENT_END"),
            .at(
                9_000,
                "QOE_AGGREGATE",
                [
                    "totalRenditions": .int(1), "peakBitrate": .int(2_000_000), "averageBitrate": .int(2_000_000),
                    "totalPlaytime": .int(5_000),
                ]
            ),
        ]
    )

    /// A player that tells renditions and no bitrate of what it shows.
    private static func rendition(_ bitrate: Int64, _ shift: Tally.Rendition.Shift) -> PlayerAction {
        .call(
            PlayerCall("rendition of \(bitrate), \(shift)") { _, run in
                var rendition = Tally.Rendition()
                rendition.bitrate = bitrate
                rendition.shift = shift
                rendition.phase = .visible
                run.trackRenditionChange(rendition)
            }
        )
    }

    static let renditionBitrateAlone = Scenario(
        "The bitrate of the rendition counts when it is all there is",
        tracker: tracker(),
        steps: [
            .at(0, shows(1280, 720, bitrate: nil)), .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, rendition(2_000_000, .up)), .at(4_000, rendition(1_000_000, .down)), .at(5_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(1_000, "CONTENT_RENDITION_CHANGE", ["contentRenditionBitrate": .int(2_000_000)]),
            .at(4_000, "CONTENT_RENDITION_CHANGE"), .at(5_000, "CONTENT_END", lacks: ["contentBitrate"]),
            .at(
                5_000,
                "QOE_AGGREGATE",
                ["peakBitrate": .int(2_000_000), "averageBitrate": .int(1_750_000), "totalRenditions": .int(1)]
            ),
        ]
    )

    /// What only playback can show: before it the agent for iOS leaves it out, and that for Android says 0.
    private static let ofPlayback = [
        "startupTime", "totalRebufferingTime", "rebufferingRatio", "hadStartupError", "hadPlaybackError",
        "totalPauseTime",
    ]

    private static func neverStarted(on platform: String) -> Scenario {
        let isAndroid = platform == "android"
        var zeros = Dictionary(uniqueKeysWithValues: ofPlayback.map { ($0, PlainValue.int(0)) })
        zeros["rebufferingRatio"] = .double(0)
        return Scenario(
            "The figures of a view that never started, on \(platform)",
            tracker: tracker(["platform": .string(platform)]),
            steps: [.at(0, .load), .at(0, .play), .at(400, .unload)],
            expected: [
                .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(400, "CONTENT_END"),
                .at(
                    400,
                    "QOE_AGGREGATE",
                    [
                        "totalPlaytime": .int(0), "totalSwitchUps": .int(0), "totalSwitchDowns": .int(0),
                        "totalRenditions": .int(0),
                    ].merging(isAndroid ? zeros : [:]) { $1 },
                    lacks: ["peakBitrate", "averageBitrate"] + (isAndroid ? [] : ofPlayback)
                ),
            ]
        )
    }

    static let failedBeforeStart = Scenario(
        "An error before the start is said at once, on ios too",
        tracker: tracker(),
        steps: [.at(0, .load), .at(0, .play), .at(100, .playerError("E404")), .at(400, .unload)],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(100, "CONTENT_ERROR"), .at(400, "CONTENT_END"),
            .at(
                400,
                "QOE_AGGREGATE",
                ["hadStartupError": .int(1)],
                lacks: ["hadPlaybackError", "startupTime", "totalPauseTime"]
            ),
        ]
    )

    static let everySecondCycle = Scenario(
        "The figures come at the first cycle and at every second one after it, when they have changed",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_700_000, .complete), .at(1_800_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(300_000, "QOE_AGGREGATE", ["totalPlaytime": .int(300_000)]),
            .at(900_000, "QOE_AGGREGATE", ["totalPlaytime": .int(900_000)]),
            .at(1_500_000, "QOE_AGGREGATE", ["totalPlaytime": .int(1_500_000)]),
            .at(1_700_000, "CONTENT_END"), .at(1_700_000, "QOE_AGGREGATE", ["totalPlaytime": .int(1_700_000)]),
        ]
    )

    static let stallBeyondTheEnd = Scenario(
        "What is played again after its end while a stall goes on begins with it, and that is no play time",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(10_000, .bufferStart(.stall)),
            .at(12_000, .complete), .at(14_000, .play), .at(17_000, .bufferComplete), .at(20_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(10_000, "CONTENT_BUFFER_START"), .at(12_000, "CONTENT_BUFFER_END"),
            .at(12_000, "CONTENT_END"), .at(12_000, "QOE_AGGREGATE", ["totalPlaytime": .int(10_000)]),
            .at(14_000, "CONTENT_REQUEST"), .at(14_000, "CONTENT_START"), .at(14_000, "CONTENT_BUFFER_START"),
            .at(17_000, "CONTENT_BUFFER_END", ["totalPlaytime": .int(0)]),
            .at(20_000, "CONTENT_END"), .at(20_000, "QOE_AGGREGATE", ["totalPlaytime": .int(3_000)]),
        ]
    )

    static let seekBeforeStart = Scenario(
        "A seek that begins before the first frame has no event and is no play time",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .seekStart(to: 30)), .at(200, .firstFrame),
            .at(2_200, .seekComplete), .at(5_200, .pause), .at(6_200, .play), .at(7_200, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(200, "CONTENT_START"),
            .at(5_200, "CONTENT_PAUSE", ["totalPlaytime": .int(3_000)]), .at(6_200, "CONTENT_RESUME"),
            .at(7_200, "CONTENT_END"), .at(7_200, "QOE_AGGREGATE", ["totalPlaytime": .int(4_000)]),
        ]
    )

    static let rateOfZero = Scenario(
        "A player that stands at a rate of 0 is paused",
        tracker: tracker(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .rate(0)), .at(5_000, .rate(1)),
            .at(6_000, .rate(0)), .at(6_005, .pause), .at(7_000, .rate(1)), .at(7_005, .play), .at(8_005, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(2_000, "CONTENT_PAUSE", ["contentPlayrate": .double(0), "totalPlaytime": .int(2_000)]),
            .at(5_000, "CONTENT_RESUME", ["contentPlayrate": .double(1), "timeSincePaused": .int(3_000)]),
            .at(6_000, "CONTENT_PAUSE", ["totalPlaytime": .int(3_000)]),
            .at(7_005, "CONTENT_RESUME", ["timeSincePaused": .int(1_005)]),
            .at(8_005, "CONTENT_END"),
            .at(8_005, "QOE_AGGREGATE", ["totalPlaytime": .int(4_000), "totalPauseTime": .int(4_005)]),
        ]
    )

    static let rateOfZeroInAd = Scenario(
        "An ad that stands at a rate of 0 is paused",
        tracker: tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .adBreakStart), .at(2_000, .adStart(1)),
            .at(3_000, .rate(0)), .at(5_000, .rate(1)), .at(6_000, .adComplete), .at(6_000, .adBreakComplete),
            .at(7_000, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY"), .at(0, "CONTENT_REQUEST"), .at(0, "CONTENT_START"),
            .at(2_000, "TRACKER_READY"), .at(2_000, "AD_BREAK_START"), .at(2_000, "AD_REQUEST"),
            .at(2_000, "CONTENT_PAUSE"), .at(2_000, "AD_START"), .at(3_000, "AD_PAUSE"),
            .at(5_000, "AD_RESUME", ["timeSinceAdPaused": .int(2_000)]), .at(6_000, "AD_END"),
            .at(6_000, "CONTENT_RESUME"), .at(6_000, "AD_BREAK_END"), .at(7_000, "CONTENT_END"),
            .at(7_000, "QOE_AGGREGATE"),
        ]
    )
}
