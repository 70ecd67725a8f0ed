import EventModel
import Tally
import TallyTesting

/// What the tracker says of ads; the content's pause and play around a break are its own.
enum AdScenarios {
    static let all: [Scenario] = [
        preroll, prerollBeforePlay, midroll, pausedAd, skippedAndClicked, adError, adsWithoutBreak, openAdAtBreakEnd,
        postroll, pausedContent, requests, joinsInAd, leftInAd, cutInTwo,
    ]

    /// The delegate tells more of ads: a break of a type, and who made them.
    private static func describe(_ type: String) -> PlayerAction {
        .call(
            PlayerCall("describe ads") { player, _ in
                player.change {
                    $0.moreOfAdBreak = { info in info.type(type) }
                    $0.moreOfAd = { info in
                        info.url("https://ads.example/7.mp4")
                        info.tagURL("https://ads.example/tag")
                        info.creativeID("creative-7")
                        info.universalID("universal-7")
                    }
                }
            }
        )
    }

    static let preroll = Scenario(
        "An ad before the content",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, describe("pre")), .at(0, .play), .at(0, .bufferStart(.initial)),
            .at(1_000, .adBreakStart),
            .at(2_000, .adStart(7)),
            .at(4_000, .adQuartile(.first)), .at(4_100, .adQuartile(.first)), .at(6_000, .adQuartile(.second)),
            .at(6_500, .adQuartile(.first)), .at(8_000, .adQuartile(.third)), .at(9_000, .adComplete),
            .at(9_000, .adBreakComplete), .at(9_400, .bufferComplete), .at(9_500, .firstFrame), .at(12_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(1_000, "pause", ["player_is_paused": .bool(true)]),
            .at(1_000, "adbreakstart", ["ad_type": .string("preroll"), "player_is_paused": .bool(false)]),
            .at(
                2_000,
                "adplay",
                [
                    "ad_id": .string("ad-7"), "ad_asset_url": .string("https://ads.example/7.mp4"),
                    "ad_tag_url": .string("https://ads.example/tag"), "ad_creative_id": .string("creative-7"),
                    "ad_universal_id": .string("universal-7"), "view_ad_played_count": .int(1),
                ]
            ),
            .at(
                2_000,
                "adplaying",
                [
                    "view_time_to_first_frame": .int(2_000), "view_preroll_played": .bool(true),
                    "view_preroll_load_time": .int(1_000), "view_startup_preroll_load_time": .int(1_000),
                ]
            ),
            .at(4_000, "adfirstquartile", ["ad_id": .string("ad-7")]), .at(6_000, "admidpoint"),
            .at(8_000, "adthirdquartile"),
            .at(
                9_000,
                "adended",
                ["view_watch_time": .int(9_000), "view_content_playback_time": .int(7_000)]
            ),
            .at(9_000, "adbreakend", lacks: ["ad_id"]), .at(9_000, "play", lacks: ["ad_type"]),
            .at(9_500, "playing", ["view_time_to_first_frame": .int(2_000)]), .at(10_000, "beacon"),
        ]
            + Says.end(
                12_000,
                [
                    "ad_time_ms": .int(7_000), "content_time_ms": .int(2_500), "waiting_time_ms": .int(2_500),
                    "video_startup_time_ms": .int(2_000), "content_startup_time_ms": .int(1_500),
                ]
            )
    )

    static let prerollBeforePlay = Scenario(
        "A break before play starts the view",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .adBreakStart), .at(0, .adStart(1)), .at(1_000, .adQuartile(.first)),
            .at(4_000, .adComplete), .at(4_000, .adBreakComplete), .at(4_000, .play), .at(4_200, .firstFrame),
            .at(5_000, .unload),
        ],
        expected: Says.opening() + [
            .at(0, "viewstart"), .at(0, "beacon"), .at(0, "adbreakstart", ["ad_type": .string("preroll")]),
            .at(0, "adplay"), .at(0, "adplaying"), .at(1_000, "adfirstquartile"), .at(4_000, "adended"),
            .at(4_000, "adbreakend"), .at(4_000, "play"), .at(4_200, "playing"),
        ] + Says.end(5_000)
    )

    static let midroll = Scenario(
        "A break in the content: pause before it, play and playing after it, the content's own events within it silent",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(500, .sample), .at(1_000, .sample),
            .at(1_500, .sample),
            .at(5_000, .adBreakStart), .at(5_000, .adStart(1)), .at(5_500, .firstFrame),
            .at(6_000, .bufferStart(.stall)), .at(6_500, .bufferComplete), .at(7_000, .play), .at(8_000, .adComplete),
            .at(8_000, .adStart(2)), .at(9_000, .adComplete), .at(9_000, .adBreakComplete), .at(9_500, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(5_000, "pause"), .at(5_000, "adbreakstart", ["ad_type": .string("midroll")]),
            .at(5_000, "adplay"), .at(5_000, "adplaying", ["view_time_to_first_frame": .int(0)]),
            .at(8_000, "adended"), .at(8_000, "adplay", ["view_ad_played_count": .int(2)]), .at(8_000, "adplaying"),
            .at(9_000, "adended"), .at(9_000, "adbreakend"), .at(9_000, "play"), .at(9_000, "playing"),
        ] + Says.end(9_500, ["ad_time_ms": .int(4_000)])
    )

    static let pausedAd = Scenario(
        "The viewer pauses an ad: adpause, then adplay and adplaying",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adBreakStart), .at(0, .adStart(1)), .at(1_000, .pause),
            .at(1_500, .pause), .at(3_000, .play), .at(4_000, .adComplete), .at(4_000, .adBreakComplete),
            .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "pause"), .at(0, "adbreakstart"), .at(0, "adplay"), .at(0, "adplaying"),
            .at(1_000, "adpause", ["player_is_paused": .bool(true)]),
            .at(3_000, "adplay", ["player_is_paused": .bool(false), "view_watch_time": .int(1_000)]),
            .at(3_000, "adplaying"), .at(4_000, "adended", ["view_ad_played_count": .int(1)]),
            .at(4_000, "adbreakend"), .at(4_000, "play"),
        ] + Says.end(5_000, ["ad_time_ms": .int(2_000), "watch_time_ms": .int(3_000)])
    )

    static let skippedAndClicked = Scenario(
        "An ad that is skipped has ended, too",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adBreakStart), .at(0, .adStart(1)), .at(500, .adClick),
            .at(1_000, .adSkip), .at(1_000, .adSkip), .at(1_500, .adClick), .at(2_000, .adBreakComplete),
            .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "pause"), .at(0, "adbreakstart"), .at(0, "adplay"), .at(0, "adplaying"),
            .at(500, "adclicked", ["view_ad_clicked_count": .int(1)]),
            .at(1_000, "adskipped", ["view_ad_skipped_count": .int(1)]), .at(1_000, "adended"),
            .at(2_000, "adbreakend", ["view_watch_time": .int(1_000)]), .at(2_000, "play"),
        ] + Says.end(3_000)
    )

    static let adError = Scenario(
        "An ad that fails is over, and what was said of its end afterwards is silent",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adBreakStart), .at(100, .adError("vast-303")), .at(200, .adStart(1)),
            .at(1_000, .adError("vast-405")), .at(1_000, .adComplete), .at(1_000, .adBreakComplete),
            .at(2_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "pause"), .at(0, "adbreakstart"), .at(100, "aderror"), .at(200, "adplay"), .at(200, "adplaying"),
            .at(1_000, "aderror", ["ad_id": .string("ad-1")], lacks: ["player_error_code"]),
            .at(1_000, "adbreakend"), .at(1_000, "play"),
        ] + Says.end(2_000, ["playback_failure": .bool(false)])
    )

    static let adsWithoutBreak = Scenario(
        "An ad outside a break is a break of its own",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .adStart(1)), .at(3_000, .adComplete),
            .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "pause"), .at(2_000, "adbreakstart"), .at(2_000, "adplay"),
            .at(2_000, "adplaying"), .at(3_000, "adended"), .at(3_000, "adbreakend"), .at(3_000, "play"),
            .at(3_000, "playing"),
        ] + Says.end(4_000)
    )

    static let openAdAtBreakEnd = Scenario(
        "An ad that is open when the next one or the break's end comes has ended",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adBreakStart), .at(0, .adBreakStart), .at(0, .adStart(1)),
            .at(1_000, .adStart(2)), .at(2_000, .adBreakComplete), .at(2_000, .adBreakComplete), .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "pause"), .at(0, "adbreakstart"), .at(0, "adplay"), .at(0, "adplaying"), .at(1_000, "adended"),
            .at(1_000, "adplay"), .at(1_000, "adplaying"), .at(2_000, "adended"), .at(2_000, "adbreakend"),
            .at(2_000, "play"),
        ] + Says.end(3_000)
    )

    static let postroll = Scenario(
        "After a break behind the content nothing goes on",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .complete), .at(2_000, .adBreakStart),
            .at(2_000, .adStart(1)), .at(3_000, .adComplete), .at(3_000, .adBreakComplete), .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "ended"), .at(2_000, "beacon"),
            .at(2_000, "adbreakstart", ["ad_type": .string("postroll")]), .at(2_000, "adplay"),
            .at(2_000, "adplaying"), .at(3_000, "adended"), .at(3_000, "adbreakend"),
        ] + Says.end(4_000, ["watch_time_ms": .int(3_000)])
    )

    static let pausedContent = Scenario(
        "A break in a pause needs no pause of its own, and the pause outlasts it",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .pause), .at(2_000, .adBreakStart),
            .at(2_000, .adStart(1)), .at(3_000, .adComplete), .at(3_000, .adBreakComplete), .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "pause"), .at(2_000, "adbreakstart"), .at(2_000, "adplay"),
            .at(2_000, "adplaying"), .at(3_000, "adended"),
            .at(3_000, "adbreakend", ["player_is_paused": .bool(true)]),
        ] + Says.end(4_000)
    )

    static let requests = Scenario(
        "Requests for ads are paired with their answers, also when they are open at a time",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play),
            .at(
                100,
                Act.custom(
                    "adrequest",
                    ["ad_request_id": .string("a"), "ad_tag_url": .string("https://ads.example/a")]
                )
            ),
            .at(200, Act.custom("adrequest", ["ad_request_id": .string("b")])),
            .at(500, Act.custom("adresponse", ["ad_request_id": .string("b")])),
            .at(700, Act.custom("adresponse", ["ad_request_id": .string("a")])),
            .at(800, Act.custom("adresponse", ["ad_request_id": .string("c")])), .at(900, Act.custom("adimpression")),
            .at(1_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(
                100,
                "adrequest",
                [
                    "ad_tag_url": .string("https://ads.example/a"), "ad_request_id": .string("a"),
                    "view_ad_request_count": .int(1), "view_preroll_requested": .bool(true),
                ]
            ),
            .at(200, "adrequest", ["view_preroll_request_count": .int(2)], lacks: ["ad_tag_url"]),
            .at(500, "adresponse", ["view_ad_request_time": .int(300)]),
            .at(700, "adresponse", ["view_ad_request_time": .int(900), "view_preroll_request_time": .int(900)]),
            .at(800, "adresponse", ["view_ad_request_time": .int(900)]), .at(900, "adimpression"),
        ] + Says.end(1_000)
    )

    static let leftInAd = Scenario(
        "A view that ends within an ad says the end of the ad and of the break first",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .adBreakStart), .at(1_000, .adStart(1)),
            .at(3_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "pause"), .at(1_000, "adbreakstart"), .at(1_000, "adplay"),
            .at(1_000, "adplaying"), .at(3_000, "adended", ["ad_id": .string("ad-1")]),
            .at(3_000, "adbreakend", lacks: ["ad_id"]),
        ] + Says.end(3_000, ["ad_time_ms": .int(2_000)])
    )

    static let cutInTwo = Scenario(
        "A break in which a view ends by silence goes on in the next one",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_000, .adBreakStart), .at(1_000, .adStart(1)),
            .at(2_000, .pause), .at(3_603_000, .play), .at(3_604_000, .adComplete), .at(3_604_000, .adBreakComplete),
            .at(3_605_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "pause"), .at(1_000, "adbreakstart"), .at(1_000, "adplay"),
            .at(1_000, "adplaying"), .at(2_000, "adpause"), .at(10_000, "beacon"),
            .at(3_603_000, "adended"), .at(3_603_000, "adbreakend"),
        ] + Says.end(3_603_000, ["ad_time_ms": .int(1_000)]) + [
            .at(3_603_000, "viewinit"), .at(3_603_000, "data"), .at(3_603_000, "viewstart"), .at(3_603_000, "beacon"),
            .at(3_603_000, "adbreakstart"),
            .at(3_603_000, "adplay", ["ad_id": .string("ad-1"), "view_ad_played_count": .int(1)]),
            .at(3_603_000, "adpause"), .at(3_603_000, "adplay"), .at(3_603_000, "adplaying"),
            .at(3_604_000, "adended"), .at(3_604_000, "adbreakend"), .at(3_604_000, "play"), .at(3_604_000, "playing"),
        ] + Says.end(3_605_000, ["ad_time_ms": .int(1_000)])
    )

    static let joinsInAd = Scenario(
        "A tracker that joins in an ad says the break and the ad",
        tracker: Mux.selection(),
        steps: [
            .at(0, .disable("mux")), .at(0, .load), .at(0, .play), .at(0, .adBreakStart), .at(0, .adStart(1)),
            .at(3_000, .enable("mux")), .at(4_000, .adComplete), .at(4_000, .adBreakComplete), .at(5_000, .unload),
        ],
        expected: Says.opening(3_000) + [
            .at(3_000, "viewstart"), .at(3_000, "beacon"), .at(3_000, "adbreakstart"),
            .at(3_000, "adplay", ["ad_id": .string("ad-1")]), .at(3_000, "adplaying"), .at(4_000, "adended"),
            .at(4_000, "adbreakend"), .at(4_000, "play"),
            // What the player showed before was the ad.
            .at(5_000, "data", ["video_source_bitrate": .int(3_000_000)]),
        ] + Says.end(5_000)
    )
}
