import EventModel
import Tally
import TallyTesting
import TextEncoding

/// Metadata from the player, the configuration and the application; what is wrong with them; static content.
enum MetadataScenarios {
    static let all: [Scenario] =
        [
            overrides, jsonText, changedInMidAsset, refusedAndMended, lengthUnknown, lengthKnownLater,
            liveLengthUnknown, linearLength, liveLength, lengthRounded, channelFromTitle, channelIsAnyText, noChannel,
            staticContent, staticContentWithoutSession, brokenStaticContent, mediaURL,
        ] + typedAttributes

    private static let started: [Scenario.Step] = [
        .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(100, .unload),
    ]

    private static func steps(_ details: PlayerDetail...) -> [Scenario.Step] {
        details.map { .at(0, .show($0)) } + started
    }

    private static func measured(
        _ has: [String: PlainValue],
        _ id: String = "asset-1",
        _ ping: [String: String] = [:]
    ) -> [Scenario.Expected] {
        [Expect.started(), Expect.play(0), Expect.load(0, "content", id, has), Expect.first(0, 0)]
            + Expect.view(0, ping) + [Expect.end(100)]
    }

    private static func refused(_ key: String) -> [Scenario.Expected] {
        [Expect.started(), Expect.play(0), Expect.error(0, 2, key), Expect.end(100)]
    }

    static let overrides = Scenario(
        "configuration wins over the player, attributes win over the configuration",
        tracker: Setup.tracker(["content": ["program": "From configuration", "title": "Too", "subbrand": "c01"]]),
        steps: steps(
            .videoAttribute("nielsen.title", .string("Folge „1“ 🎬")),
            .videoAttribute("nielsen.airdate", .string("20200713 10:22:00")),
            .videoAttribute("nielsen.assetid", .string("VID5556674-123456"))
        ),
        expected: measured(
            [
                "program": .string("From configuration"), "title": .string("Folge „1“ 🎬"), "subbrand": .string("c01"),
                "airdate": .string("20200713 10:22:00"),
            ],
            "VID5556674-123456",
            [
                "cg": "From configuration", "tl": "Folge „1“ 🎬", "c6": "vc,c01", "c54": "oad,20200713 10:22:00",
                "ca": "us-500207_c01_VID5556674-123456", "ch": "us-500207_c01_P",
            ]
        )
    )

    static let jsonText = Scenario(
        "an object of metadata comes as JSON text",
        tracker: Setup.tracker(),
        steps: steps(
            .videoAttribute(
                "nielsen.metadata",
                .string(#"{"type":"content","program":"P","adloadtype":"1","segA":"A"}"#)
            )
        ),
        expected: measured(
            ["program": .string("P"), "adloadtype": .string("1")],
            "asset-1",
            ["c57": "adldf,1", "c32": "segA,A", "c33": "segB,NA"]
        )
    )

    /// What an application's typed values become, and what is refused with its key.
    static let typedAttributes: [Scenario] = [
        typed("isfullepisode", .bool(true), "y", "c53", "fef,y"),
        typed("isfullepisode", .bool(false), "n", "c53", "fef,n"),
        typed("hasAds", .bool(true), "1", "c77", "adsuprt,1"), typed("hasAds", .bool(false), "0", "c77", "adsuprt,0"),
        typed("adloadtype", .string("dynamic"), "2", "c57", "adldf,2"),
        typed("adloadtype", .string("linear"), "1", "c57", "adldf,1"),
        typed("assetid", .int(4711), "4711", "ai", "4711"), typed("length", .int(170), "170", "sd", "170"),
        wrong("length", .string("2:50")), wrong("length", .double(170.5)), wrong("length", .string("-1")),
        wrong("airdate", .string("2020-07-13")), wrong("isfullepisode", .string("yes")),
        wrong("adloadtype", .string("3")), wrong("title", .list([.string("a")])), wrong("title", .bytes([0xFF])),
        wrong("program", .string("")), wrong("assetid", .string("a b")), wrong("assetid", .string("ä")),
        wrong("type", .string("Content")),
        wrong("type", .string("preroll")), wrong("type", .string("static")), wrong("title", .null),
    ]

    private static func typed(
        _ key: String,
        _ value: PlainValue,
        _ text: String,
        _ parameter: String,
        _ ping: String
    ) -> Scenario {
        Scenario(
            "nielsen.\(key) \(value) is \(text)",
            tracker: Setup.tracker(),
            steps: steps(.videoAttribute("nielsen.\(key)", value)),
            expected: measured([key: .string(text)], key == "assetid" ? text : "asset-1", [parameter: ping])
        )
    }

    private static func wrong(_ key: String, _ value: PlainValue) -> Scenario {
        Scenario(
            "nielsen.\(key) \(value) is refused, and nothing is measured",
            tracker: Setup.tracker(),
            steps: steps(.videoAttribute("nielsen.\(key)", value)),
            expected: refused(key)
        )
    }

    static let changedInMidAsset = Scenario(
        "metadata and channel are constant for an asset: a change is told once with its key, and ignored",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adStart(3)), .at(100, .metadata(name: "Other")),
            .at(200, .metadata(name: "Other")), .at(300, .show(.videoAttribute("nielsen.channelName", .string("X")))),
            .at(300, .metadata(name: "Other")), .at(400, .adComplete), .at(400, .firstFrame), .at(500, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.load(0, "ad", "ad-3"),
            Expect.first(0, 0, "ad"),
        ]
            + Expect.view(0)
            + [
                Expect.warning(100, "program"), Expect.warning(100, "title"), Expect.warning(300, "channelName"),
                Expect.stop(400), Expect.load(400, "content", "asset-1", ["title": .string("Synthetic")]),
                Expect.first(400, 0),
            ]
            + Expect.view(400, ["tl": "Synthetic"]) + [Expect.end(500)]
    )

    static let refusedAndMended = Scenario(
        "metadata that were refused can be mended, and measurement begins then",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .show(.assetID("a/b"))), .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .pause),
            .at(2_500, .play), .at(3_000, .show(.assetID("a-b"))), .at(3_000, .metadata(name: "Synthetic")),
            .at(4_100, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.error(0, 2, "assetid"), Expect.load(3_000, "content", "a-b"),
            Expect.first(3_000, 2),
        ]
            + Expect.view(3_000) + Expect.playheads(from: 4_000, 3...3) + [Expect.end(4_100)] + Expect.final(4_100, 1)
    )

    static let lengthUnknown = Scenario(
        "a video without a length is refused",
        tracker: Setup.tracker(),
        steps: steps(.length(nil)),
        expected: refused("length")
    )

    static let lengthKnownLater = Scenario(
        "a length that is known after the preroll makes the content measured",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .show(.length(nil))), .at(0, .load), .at(0, .play), .at(0, .adStart(3)), .at(500, .adComplete),
            .at(500, .show(.duration(170_400))), .at(500, .firstFrame), .at(600, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.error(0, 2, "length"), Expect.load(0, "ad", "ad-3"),
            Expect.first(0, 0, "ad"),
        ]
            + Expect.view(0)
            + [
                Expect.stop(500), Expect.load(500, "content", "asset-1", ["length": .string("170")]),
                Expect.first(500, 0),
            ]
            + Expect.view(500) + [Expect.end(600)]
    )

    static let lengthRounded = Scenario(
        "a length is told in whole seconds, the nearest ones",
        tracker: Setup.tracker(),
        steps: steps(.length(170.6)),
        expected: measured(["length": .string("171")], "asset-1", ["sd": "171"])
    )

    static let liveLengthUnknown = Scenario(
        "a live event without a planned length is refused",
        tracker: Setup.tracker(),
        steps: steps(.streamType(.live), .length(-1)),
        expected: refused("length")
    )

    static let linearLength = Scenario(
        "a stream round the clock with another length than 86400 is refused",
        tracker: Setup.tracker(["content": ["length": "3600"]]),
        steps: steps(.streamType(.linear), .length(-1)),
        expected: refused("length")
    )

    static let liveLength = Scenario(
        "a live event has the length that was planned",
        tracker: Setup.tracker(),
        steps: steps(.streamType(.live), .length(-1), .videoAttribute("nielsen.length", .string("5400"))),
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1", ["length": .string("5400")]),
            Expect.first(0, 1_700_000_000),
        ]
            + Expect.view(0, ["sd": "5400"]) + [Expect.end(100)]
    )

    private static let withoutChannel = PluginSelection(
        "com.nielsen.dcr",
        name: "nielsen",
        configuration: ["appid": .string(Setup.appID)]
    )

    static let channelFromTitle = Scenario(
        "without a channel the video's name is the channel",
        tracker: withoutChannel,
        steps: [.at(0, .load), .at(0, .play), .at(100, .unload)],
        expected: [Expect.started(), Expect.play(0, "Synthetic"), Expect.end(100)]
    )

    private static let anyText = #"Kanal „9“ / 24×7 🎬: "news" & weather"#

    static let channelIsAnyText = Scenario(
        "a channel is any text, special characters and other scripts included",
        tracker: Setup.tracker(["channelName": .string(anyText)]),
        steps: started,
        expected: [
            Expect.started(), Expect.play(0, anyText), Expect.load(0, "content", "asset-1"), Expect.first(0, 0),
        ]
            + Expect.view(0) + [Expect.end(100)]
    )

    static let noChannel = Scenario(
        "without a channel play is refused, and nothing is measured",
        tracker: withoutChannel,
        steps: steps(.title(nil)),
        expected: [Expect.started(), Expect.error(0, 2, "channelName"), Expect.error(0, 2, "program")]
    )

    static let staticContent = Scenario(
        "static content is loadMetadata of the type static and one ping; the video goes on",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_500, .show(.videoAttribute("nielsen.metadata", .string(#"{"type":"static","section":"News"}"#)))),
            .at(1_500, .metadata(name: "Synthetic")), .at(2_100, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1)
            + [.at(1_500, "loadMetadata", ["type": .string("static"), "section": .string("News")])]
            + Expect.view(1_500, ["rt": "text", "asn": "News", "ch": "us-500207_c77_News_S", "ca": "NA", "cr": "V"])
            + Expect.playheads(from: 2_000, 2...2) + [Expect.end(2_100)] + Expect.final(2_100, 2)
    )

    static let staticContentWithoutSession = Scenario(
        "static content needs no video",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .show(.videoAttribute("nielsen.metadata", .string(#"{"type":"static","section":"Home"}"#)))),
            .at(100, .metadata(name: "Home")),
        ],
        expected: [Expect.started(100), .at(100, "loadMetadata", ["section": .string("Home")])]
            + Expect.view(100, ["rt": "text"])
    )

    static let brokenStaticContent = Scenario(
        "broken JSON text is refused",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .show(.videoAttribute("nielsen.metadata", .string(#"{"type":"static","section":"#)))),
            .at(100, .metadata(name: "Home")),
            .at(200, .show(.videoAttribute("nielsen.metadata", .int(3)))), .at(200, .metadata(name: "Home")),
            .at(300, .show(.videoAttribute("nielsen.metadata", .string(#"{"type":"static"}"#)))),
            .at(300, .metadata(name: "Home")),
        ],
        expected: [
            Expect.started(100), Expect.error(100, 2, "metadata"), Expect.error(200, 2, "metadata"),
            Expect.error(300, 2, "section"),
        ]
    )

    static let mediaURL = Scenario(
        "the media's address is encoded twice, without its query",
        tracker: Setup.tracker(),
        steps: steps(.url("https://media.example/a b.m3u8?token=secret#t=1")),
        expected: measured([:], "asset-1", ["c66": "mediaurl,https%3A%2F%2Fmedia.example%2Fa%20b.m3u8"])
    )
}
