import Tally
import TallyTesting

/// What the tracker says of a playback.
enum AnalyticsScenarios {
    static let all: [Scenario] = [
        playback, live, quiet, nothingOfTheAd, secondSession, sleep, sleepInTheWait, rateOfZero,
    ]

    static let playback = Scenario(
        "The video's viewing opens at the load, an ad's at its start; nothing else is sent",
        tracker: Analytics.selection(Analytics.configuration([:], ["channel": "news"])),
        steps: [
            .at(0, .load), .at(0, .play), .at(2_000, .adBreakStart), .at(2_000, .adStart(10)),
            .at(4_000, .adComplete), .at(4_000, .adBreakComplete), .at(5_000, .chapterStart(1)),
            .at(6_000, .playerError("E")), .at(9_000, .complete), .at(9_000, .unload),
        ],
        expected: [
            .at(
                0,
                "video_start",
                [
                    "rsids": .string("suite1,suite2"), "pe": .string("ms_s"), "pev3": .string("video"),
                    "a.contentType": .string("video"), "a.media.name": .string("asset-1"),
                    "a.media.friendlyName": .string("Synthetic"), "a.media.length": .int(600),
                    "a.media.playerName": .string("synthetic"), "a.media.channel": .string("news"),
                    "a.media.view": .string("true"),
                ],
                lacks: ["ts"]
            ),
            .at(0, "beacon"),
            .at(
                2_000,
                "ad_start",
                [
                    "pe": .string("msa_s"), "pev3": .string("videoAd"), "a.contentType": .string("videoAd"),
                    "a.media.name": .string("asset-1"), "a.media.ad.name": .string("ad-10"),
                    "a.media.ad.friendlyName": .string("Ad 10"), "a.media.ad.length": .int(15),
                    "a.media.ad.playerName": .string("synthetic"), "a.media.ad.podFriendlyName": .string("break"),
                    "a.media.ad.pod": .string("a5fcc136799945189a0c22117b61ddfd_2"),
                    "a.media.ad.podSecond": .int(2), "a.media.ad.podPosition": .int(1),
                    "a.media.ad.view": .string("true"),
                ],
                lacks: ["a.media.length", "a.media.ad.CPM"]
            ),
            .at(2_000, "beacon"),
        ]
    )

    static let live = Scenario(
        "A live stream's length is -1",
        tracker: Analytics.selection(),
        player: {
            var player = SyntheticPlayer.Model()
            player.streamType = .live
            player.length = nil
            return player
        }(),
        steps: [.at(0, .load), .at(100, .unload)],
        expected: [.at(0, "video_start", ["a.media.length": .int(-1)]), .at(0, "beacon")]
    )

    static let quiet = Scenario(
        "In quiet mode nothing is sent",
        tracker: Analytics.selection(Analytics.configuration([:], ["quietMode": true])),
        steps: [.at(0, .load), .at(100, .adStart(0)), .at(200, .unload)],
        expected: []
    )

    static let nothingOfTheAd = Scenario(
        "An ad of which too little is known has no hit",
        tracker: Analytics.selection(),
        player: {
            var player = SyntheticPlayer.Model()
            player.adAnswer = { $0.name("no id") }
            return player
        }(),
        steps: [.at(0, .load), .at(100, .adStart(0)), .at(200, .unload)],
        expected: [.at(0, "video_start"), .at(0, "beacon")]
    )

    static let sleep = Scenario(
        "A sleep of the machine has no hit, and what comes after it belongs to the same viewing",
        tracker: Analytics.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .sleep(4_000, to: 3_604_000),
            .at(3_606_000, .adStart(10)), .at(3_608_000, .adComplete), .at(3_609_000, .unload),
        ],
        expected: [
            .at(0, "video_start"), .at(0, "beacon"),
            .at(3_606_000, "ad_start", ["a.media.name": .string("asset-1"), "a.media.ad.podSecond": .int(6)]),
            .at(3_606_000, "beacon"),
        ]
    )

    static let sleepInTheWait = Scenario(
        "A viewing waits for a length as long as ever, whatever the machine sleeps meanwhile",
        tracker: Analytics.selection(),
        player: {
            var player = SyntheticPlayer.Model()
            player.length = nil
            return player
        }(),
        steps: [.at(0, .load), .sleep(10, to: 3_600_010), .at(3_660_000, .unload)],
        expected: [.at(3_630_000, "video_start"), .at(3_630_000, "beacon")]
    )

    static let secondSession = Scenario(
        "Each load opens a viewing",
        tracker: Analytics.selection(),
        steps: [.at(0, .load), .at(100, .load), .at(200, .unload)],
        expected: [.at(0, "video_start"), .at(0, "beacon"), .at(100, "video_start"), .at(100, "beacon")]
    )

    static let rateOfZero = Scenario(
        "A player that stands at a rate of 0 opens no other viewing when it goes on",
        tracker: Analytics.selection(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .rate(0)), .at(4_000, .rate(1)),
            .at(5_000, .adStart(10)), .at(6_000, .adComplete), .at(7_000, .unload),
        ],
        expected: [
            .at(0, "video_start"), .at(0, "beacon"),
            .at(5_000, "ad_start", ["a.media.ad.podSecond": .int(3)]), .at(5_000, "beacon"),
        ]
    )
}
