import EventModel
import TallyTesting
import TextEncoding

/// Content and ads: the guide's order of calls, and the pings that follow from them.
enum PlaybackScenarios {
    static let all: [Scenario] = [
        completePlayback, preroll, midroll, podAndPostroll, adWithoutBreak, skippedAd, abandoned, abandonedBeforeStart,
        abandonedInAd, completedUnplayed, secondVideo, playedAgain, durationPing, joined, joinedInAd, adMetadata,
        refusedAd,
    ]

    static let completePlayback = Scenario(
        "content without ads: play, loadMetadata, a playhead a second, end",
        tracker: Setup.tracker(),
        sampled: true,
        steps: [
            .at(0, .load), .at(100, .play), .at(500, .firstFrame), .at(3_600, .complete), .at(3_700, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(100),
            Expect.load(
                500,
                "content",
                "asset-1",
                [
                    "program": .string("Synthetic"), "title": .string("Synthetic"), "length": .string("600"),
                    "airdate": .string("19700101 00:00:00"), "isfullepisode": .string("n"),
                    "adloadtype": .string("2"),
                ]
            ),
            Expect.first(500, 0),
        ]
            + Expect.view(
                500,
                [
                    "rt": "video", "ad": "0", "c3": "st,c", "cr": "4_00_99_V1_00000", "sd": "600",
                    "url": "https://secure-dmk.nmrodam.com/cgi-bin/gn",
                ]
            )
            + Expect.playheads(from: 1_500, 1...3) + [Expect.end(3_600)]
            + Expect.final(3_600, 3, ["cr": "4_00_99_D1_00000", "c51": "adl,0", "c52": "noad,0"])
    )

    static let preroll = Scenario(
        "a preroll: the content is loaded first, and again when it plays",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(100, .play), .at(100, .show(.adBreakType("pre"))), .at(100, .adBreakStart),
            .at(200, .adStart(3)), .at(2_300, .adComplete), .at(2_400, .adBreakComplete), .at(2_500, .firstFrame),
            .at(4_600, .complete), .at(4_600, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(100), Expect.load(200, "content", "asset-1"),
            Expect.load(200, "preroll", "ad-3"), Expect.first(200, 0, "preroll"),
        ]
            + Expect.view(200, ["ad": "1", "c3": "st,a", "ai": "ad-3", "tl": "Synthetic"])
            + Expect.playheads(from: 1_200, 1...2, "preroll") + [Expect.stop(2_300)]
            + Expect.final(2_300, 2, ["ad": "1", "ai": "ad-3", "ca": "us-500207_c77_ad-3"])
            // The synthetic player's position runs on during the ad.
            + [Expect.load(2_500, "content", "asset-1"), Expect.first(2_500, 2)]
            + Expect.view(2_500, ["ad": "0", "ai": "asset-1", "c51": "adl,2", "c52": "noad,1"])
            + Expect.playheads(from: 3_500, 3...4) + [Expect.end(4_600)]
            + Expect.final(4_600, 2, ["c51": "adl,0", "c52": "noad,0"])
    )

    static let midroll = Scenario(
        "a midroll: the content goes on where it was, with metadata that did not change",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_400, .show(.adBreakType("mid"))),
            .at(2_400, .adBreakStart), .at(2_400, .adStart(7)), .at(3_600, .adComplete), .at(3_600, .adBreakComplete),
            .at(4_700, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0),
        ]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...2)
            + [Expect.load(2_400, "midroll", "ad-7"), Expect.first(2_400, 0, "midroll")]
            + Expect.view(2_400, ["ad": "1"]) + Expect.playheads(from: 3_400, 1...1, "midroll")
            + [Expect.stop(3_600)] + Expect.final(3_600, 1, ["ad": "1"])
            // The synthetic player's position runs on during the ad.
            + [Expect.load(3_600, "content", "asset-1"), Expect.first(3_600, 3)]
            + Expect.playheads(from: 4_600, 4...4) + [Expect.end(4_700)]
            + Expect.final(4_700, 3, ["c51": "adl,1", "c52": "noad,1"])
    )

    static let podAndPostroll = Scenario(
        "two ads of a pod are two assets, and a postroll follows the end",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_100, .complete),
            .at(1_100, .show(.adBreakType("post"))), .at(1_100, .adBreakStart), .at(1_200, .adStart(1)),
            .at(2_300, .adComplete), .at(2_300, .adStart(2)), .at(3_400, .adComplete), .at(3_400, .adBreakComplete),
            .at(3_500, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0),
        ]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1) + [Expect.end(1_100)] + Expect.final(1_100, 1)
            + [Expect.load(1_200, "postroll", "ad-1"), Expect.first(1_200, 0, "postroll")]
            + Expect.view(1_200, ["ad": "1", "tl": "Synthetic"]) + Expect.playheads(from: 2_200, 1...1, "postroll")
            + [Expect.stop(2_300)] + Expect.final(2_300, 1)
            + [Expect.load(2_300, "postroll", "ad-2"), Expect.first(2_300, 0, "postroll")]
            + Expect.view(2_300) + Expect.playheads(from: 3_300, 1...1, "postroll")
            + [Expect.stop(3_400)] + Expect.final(3_400, 1)
    )

    static let adWithoutBreak = Scenario(
        "an ad of which the place is not known has the type ad, and an own sub-brand",
        tracker: Setup.tracker(["ad": ["subbrand": "c99"]]),
        steps: [.at(0, .load), .at(0, .play), .at(100, .adStart(3)), .at(1_200, .adComplete), .at(1_300, .unload)],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(100, "content", "asset-1"),
            Expect.load(100, "ad", "ad-3", ["subbrand": .string("c99")]), Expect.first(100, 0, "ad"),
        ]
            + Expect.view(100, ["c6": "vc,c99", "ch": "us-500207_c99_P"]) + Expect.playheads(from: 1_100, 1...1, "ad")
            + [Expect.stop(1_200)] + Expect.final(1_200, 1) + [Expect.end(1_300)]
    )

    static let skippedAd = Scenario(
        "a skipped ad ends with stop as well, and its pause is no second stop",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .adStart(3)), .at(1_200, .pause), .at(2_000, .adSkip),
            .at(2_100, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(100, "content", "asset-1"), Expect.load(100, "ad", "ad-3"),
            Expect.first(100, 0, "ad"),
        ]
            + Expect.view(100) + Expect.playheads(from: 1_100, 1...1, "ad") + [Expect.stop(1_200)]
            + Expect.final(1_200, 1) + [Expect.end(2_100)]
    )

    static let abandoned = Scenario(
        "content that is left before its end ends as well",
        tracker: Setup.tracker(),
        steps: [.at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_500, .unload)],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1) + [Expect.end(1_500)] + Expect.final(1_500, 1)
    )

    static let abandonedBeforeStart = Scenario(
        "content that is left before its first frame was played and ends, without a ping",
        tracker: Setup.tracker(),
        steps: [.at(0, .load), .at(100, .play), .at(900, .unload)],
        expected: [Expect.started(), Expect.play(100), Expect.end(900)]
    )

    static let abandonedInAd = Scenario(
        "content that is left during an ad: stop for the ad, end for the content",
        tracker: Setup.tracker(),
        steps: [.at(0, .load), .at(0, .play), .at(0, .adStart(3)), .at(1_500, .unload)],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.load(0, "ad", "ad-3"),
            Expect.first(0, 0, "ad"),
        ]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1, "ad") + [Expect.stop(1_500)]
            + Expect.final(1_500, 1) + [Expect.end(1_500)]
    )

    static let completedUnplayed = Scenario(
        "content that completes before it was played begins when it is played",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(100, .complete), .at(200, .adStart(3)), .at(300, .play), .at(400, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(200), Expect.load(200, "content", "asset-1"), Expect.load(200, "ad", "ad-3"),
            Expect.first(200, 0, "ad"),
        ]
            + Expect.view(200) + [Expect.stop(400), Expect.end(400)]
    )

    static let secondVideo = Scenario(
        "one instance measures one video after another",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_500, .show(.assetID("asset-2"))),
            .at(1_500, .load), .at(1_600, .play), .at(1_700, .firstFrame), .at(2_800, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1) + [Expect.end(1_500)] + Expect.final(1_500, 1)
            + [Expect.play(1_600), Expect.load(1_700, "content", "asset-2"), Expect.first(1_700, 0)]
            + Expect.view(1_700, ["ai": "asset-2"]) + Expect.playheads(from: 2_700, 1...1)
            + [Expect.end(2_800)] + Expect.final(2_800, 1)
    )

    static let playedAgain = Scenario(
        "played again after its end, the content begins anew with play",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_500, .complete), .at(2_000, .show(.position(0))),
            .at(2_000, .play), .at(3_100, .complete), .at(3_200, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1) + [Expect.end(1_500)] + Expect.final(1_500, 1)
            + [Expect.play(2_000), Expect.load(2_000, "content", "asset-1"), Expect.first(2_000, 1)]
            + Expect.view(2_000) + Expect.playheads(from: 3_000, 2...2) + [Expect.end(3_100)]
            + Expect.final(3_100, 1)
    )

    static let durationPing = Scenario(
        "a duration ping whenever a ping's segments were viewed, and a final one for the rest",
        tracker: Setup.tracker(["segmentSeconds": 2, "segmentsPerPing": 2, "creditSeconds": 1]),
        steps: [.at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(5_500, .unload)],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0, ["cr": "4_00_99_V1_00"]) + Expect.playheads(from: 1_000, 1...4)
            + Expect.ping(4_000, ["at": "timer", "c27": "cln,4", "davty": "1", "cr": "4_00_99_D1_11"])
            + Expect.playheads(from: 5_000, 5...5) + [Expect.end(5_500)]
            + Expect.final(5_500, 1, ["cr": "4_00_99_D2_10"])
    )

    static let joined = Scenario(
        "a tracker that is enabled in mid-session begins with play and loadMetadata",
        tracker: Setup.tracker(),
        sampled: true,
        steps: [
            .at(0, .disable("nielsen")), .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_600, .sample),
            .at(2_600, .enable("nielsen")), .at(3_700, .unload),
        ],
        expected: [
            Expect.started(2_600), Expect.play(2_600), Expect.load(2_600, "content", "asset-1"), Expect.first(2_600, 2),
        ]
            + Expect.view(2_600) + Expect.playheads(from: 3_600, 3...3) + [Expect.end(3_700)] + Expect.final(3_700, 1)
    )

    static let adMetadata = Scenario(
        "the application's own metadata of an ad win, and leave the content's alone",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .show(.adAttribute("nielsen.assetid", .string("spot-1")))),
            .at(0, .show(.adAttribute("nielsen.type", .string("preroll")))), .at(0, .load), .at(0, .play),
            .at(0, .adStart(3)), .at(500, .adComplete),
            .at(500, .show(.adAttribute("nielsen.metadata", .string(#"{"type":"content"}"#)))),
            .at(500, .adStart(4)), .at(900, .adComplete), .at(1_000, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"),
            Expect.load(0, "preroll", "spot-1"), Expect.first(0, 0, "preroll"),
        ]
            + Expect.view(0, ["ai": "spot-1"]) + [Expect.stop(500), Expect.error(500, 2, "type"), Expect.end(1_000)]
    )

    static let joinedInAd = Scenario(
        "a tracker that is enabled during an ad loads the content, then the ad",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .disable("nielsen")), .at(0, .load), .at(0, .play), .at(0, .show(.adBreakType("pre"))),
            .at(0, .adBreakStart), .at(0, .adStart(3)), .at(1_000, .enable("nielsen")), .at(1_500, .adComplete),
            .at(1_600, .unload),
        ],
        expected: [
            Expect.started(1_000), Expect.play(1_000), Expect.load(1_000, "content", "asset-1"),
            Expect.load(1_000, "preroll", "ad-3"), Expect.first(1_000, 0, "preroll"),
        ]
            + Expect.view(1_000, ["ad": "1"]) + [Expect.stop(1_500), Expect.end(1_600)]
    )

    static let refusedAd = Scenario(
        "an ad whose asset id has special characters is not measured, and the content goes on",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .show(.adID("ad/3"))), .at(0, .load), .at(0, .play), .at(0, .adStart(3)), .at(2_000, .adComplete),
            .at(2_000, .firstFrame), .at(3_100, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.error(0, 2, "assetid"),
            Expect.load(2_000, "content", "asset-1"), Expect.first(2_000, 2),
        ]
            + Expect.view(2_000, ["c52": "noad,0"]) + Expect.playheads(from: 3_000, 3...3) + [Expect.end(3_100)]
            + Expect.final(3_100, 1)
    )
}
