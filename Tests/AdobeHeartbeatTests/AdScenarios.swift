import Tally
import TallyTesting

/// How ads begin, are told and end.
enum AdScenarios {
    static let all: [Scenario] = [
        seekBackIntoTheAd, midroll, adWithoutInformation, errorsInTheAd, abandonedInTheAd, brokenBreak, adAlone,
        adPlaceUnknown, adBegunInASeek,
    ]

    static let seekBackIntoTheAd = Scenario(
        "A seek within an ad leads back into the same showing",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .adStart(0)), .at(3_000, .seekStart(to: 2)),
            .at(4_000, .seekComplete), .at(11_100, .unload),
        ],
        rows: [
            .load(),
            Row(11_000, "start", 0, 0, 1, 0, 0, -1),
            Row(11_000, "play", 0, 1_000, 1, 1_000, 0, -1),
            Row(11_000, "start/ad", 1, 0, 1, 0, 1_000, -1),
            Row(11_000, "play/ad", 2, 9_000, 2, 9_000, 4_000, -1),
            Row(11_000, "active", 8, 11_000, 1, 11_000, 11_000, -1),
            Row(11_100, "unload/ad", 0, 0, 1, 0, 11_100, -1),
        ]
    )

    static let adBegunInASeek = Scenario(
        "An ad that begins within a seek is the same showing behind it",
        steps: [
            .at(0, .load), .at(0, .play), .at(2_000, .seekStart(to: 60)), .at(3_000, .adStart(0)),
            .at(3_500, .playerError("P")), .at(4_000, .seekComplete), .at(5_000, .playerError("P")),
            .at(6_000, .adComplete), .at(12_500, .unload),
        ],
        rows: [
            .load(),
            Row(3_500, "error/ad", 60, 0, 1, 0, 3_500, -1),
            Row(5_000, "error/ad", 61, 0, 2, 0, 5_000, 3_500),
            Row(12_000, "start", 0, 0, 1, 0, 0, -1),
            Row(12_000, "play", 62, 8_000, 2, 8_000, 6_000, -1),
            Row(12_000, "start/ad", 60, 0, 1, 0, 3_000, -1),
            Row(12_000, "play/ad", 62, 2_000, 2, 2_000, 6_000, -1),
            Row(12_000, "complete/ad", 62, 0, 1, 0, 6_000, -1),
            Row(12_000, "active", 62, 12_000, 1, 12_000, 12_000, -1),
            Row(12_500, "unload", 0, 0, 1, 0, 12_500, -1),
        ]
    )

    static let midroll = Scenario(
        "Two ads in the midst of the content need no call but their own",
        steps: [
            .at(0, .load), .at(0, .play), .at(2_000, .adStart(10)), .at(4_000, .adComplete), .at(4_000, .adStart(11)),
            .at(7_000, .adComplete), .at(10_500, .unload),
        ],
        rows: [
            .load(),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 7, 5_000, 3, 5_000, 7_000, -1),
            Row(10_000, "start/ad", 2, 0, 1, 0, 2_000, -1, has: pod("ad-10", "1")),
            Row(10_000, "play/ad", 4, 2_000, 2, 2_000, 4_000, -1, has: pod("ad-10", "1")),
            Row(10_000, "complete/ad", 4, 0, 1, 0, 4_000, -1, has: pod("ad-10", "1")),
            Row(10_000, "start/ad", 4, 0, 1, 0, 4_000, -1, has: pod("ad-11", "2")),
            Row(10_000, "play/ad", 7, 3_000, 2, 3_000, 7_000, -1, has: pod("ad-11", "2")),
            Row(10_000, "complete/ad", 7, 0, 1, 0, 7_000, -1, has: pod("ad-11", "2")),
            Row(10_000, "active", 7, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let adWithoutInformation = Scenario(
        "An ad that the delegate knows nothing of is tracked as main content",
        player: {
            var player = SyntheticPlayer.Model()
            player.adAnswer = { _ in }
            return player
        }(),
        steps: [.at(0, .load), .at(0, .play), .at(1_000, .adStart(0)), .at(2_000, .adComplete), .at(10_500, .unload)],
        rows: [
            .load(),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 0, 10_000, 1, 10_000, 0, -1),
            Row(10_000, "active", 2, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let errorsInTheAd = Scenario(
        "An error or a new bitrate during an ad is told of the ad",
        steps: [
            .at(0, .load), .at(0, .adStart(0)), .at(500, .playerError("P")),
            .at(600, .rendition(bitrate: 3_000_000, shift: .up, phase: .visible)), .at(900, .unload),
        ],
        rows: [
            .load(),
            Row(500, "error/ad", 0, 0, 1, 0, 500, -1),
            Row(600, "bitrate_change/ad", 0, 0, 1, 0, 600, -1),
            Row(900, "unload/ad", 0, 0, 1, 0, 900, -1),
        ]
    )

    static let brokenBreak = Scenario(
        "An ad that only its break's end tells to be over has completed there",
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .adBreakStart), .at(1_000, .adStart(10)),
            .at(4_000, .adBreakComplete), .at(10_500, .unload),
        ],
        rows: [
            .load(),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 4, 7_000, 2, 7_000, 4_000, -1),
            Row(10_000, "start/ad", 1, 0, 1, 0, 1_000, -1),
            Row(10_000, "play/ad", 4, 3_000, 2, 3_000, 4_000, -1),
            Row(10_000, "complete/ad", 4, 0, 1, 0, 4_000, -1),
            Row(10_000, "active", 4, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let adAlone = Scenario(
        "An ad's start and completion alone lead to the ad and back to the content",
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .adStart(0)), .at(5_000, .adComplete), .at(10_500, .unload),
        ],
        rows: [
            .load(),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 5, 6_000, 2, 6_000, 5_000, -1, lacks: ["s:asset:ad_id"]),
            Row(10_000, "start/ad", 1, 0, 1, 0, 1_000, -1),
            Row(10_000, "play/ad", 5, 4_000, 2, 4_000, 5_000, -1),
            Row(10_000, "complete/ad", 5, 0, 1, 0, 5_000, -1),
            Row(10_000, "active", 5, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1, lacks: ["s:asset:ad_id"]),
        ]
    )

    static let adPlaceUnknown = Scenario(
        "1.4 tells the place in the content during an ad, whatever the player says of the ad's",
        player: {
            var player = SyntheticPlayer.Model()
            player.adAnswer = { info in
                info.id("ad-0")
                info.length(seconds: 15)
                info.position(1)
                info.playhead(seconds: 7)
            }
            return player
        }(),
        steps: [
            .at(0, .load), .at(0, .play), .at(2_000, .adStart(0)), .at(3_000, .playerError("E")), .at(10_500, .unload),
        ],
        rows: [
            .load(),
            Row(3_000, "error/ad", 3, 0, 1, 0, 3_000, -1),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 0, 2_000, 1, 2_000, 0, -1),
            Row(10_000, "start/ad", 2, 0, 1, 0, 2_000, -1),
            Row(10_000, "play/ad", 2, 8_000, 1, 8_000, 2_000, -1),
            Row(10_000, "active", 3, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload/ad", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let abandonedInTheAd = Scenario(
        "A video that is left in an ad and a chapter is unloaded with both",
        steps: [.at(0, .load), .at(0, .chapterStart(1)), .at(1_000, .adStart(0)), .at(2_000, .unload)],
        rows: [
            .load(),
            Row(0, "chapter_start", 0, 0, 1, 0, 0, -1),
            Row(2_000, "unload/ad", 0, 0, 1, 0, 2_000, -1, has: ["l:stream:chapter_pos": .int(1)]),
        ]
    )

    private static func pod(_ ad: String, _ position: String) -> [String: PlainValue] {
        [
            "s:asset:ad_id": .string(ad), "s:asset:pod_position": .string(position),
            "s:asset:pod_id": .string("a5fcc136799945189a0c22117b61ddfd_2"),
        ]
    }
}
