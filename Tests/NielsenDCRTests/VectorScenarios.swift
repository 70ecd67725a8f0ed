import EventModel
import Tally
import TallyTesting
import TextEncoding

/// The vendor's API by itself: what each call does in each state, and the vectors of its pings.
enum VectorScenarios {
    static let all: [Scenario] =
        [
            plainInit, viewPing, fullPlayback, playTwice, optOut, badPlayhead, disable, staticInIdle, sameAssetAgain,
            otherAsset, adAfterEnd,
        ] + refusedArguments

    private static let tracker = PluginSelection(
        "org.tally.test.nielsen-api",
        name: "api",
        configuration: Setup.application
    )

    private static let content =
        #"{"type":"content","assetid":"A-1","program":"P","title":"T","length":"170","airdate":"19700101 00:00:00","#
        + #""isfullepisode":"y","adloadtype":"2"}"#

    private static func call(_ time: Int64, _ name: String, _ value: PlainValue = .null) -> Scenario.Step {
        .at(time, .custom(name: name, value: value))
    }

    private static func state(_ time: Int64, _ name: String) -> Scenario.Expected {
        .at(time, "state", ["state": .string(name)])
    }

    private static let idle = [call(0, "init"), call(0, "state")]
    private static let idleExpected = [Expect.started(), state(0, "idle")]
    private static let processing = idle + [call(0, "play", .string("C")), call(0, "loadMetadata", .string(content))]
    private static let processingExpected = idleExpected + [Expect.play(0, "C"), Expect.load(0, "content", "A-1")]

    static let plainInit = Scenario(
        "calls of an instance that is not initialised are ignored",
        tracker: tracker,
        steps: [
            call(0, "state"), call(0, "play", .string("C")), call(0, "loadMetadata", .string(content)),
            call(0, "playheadPosition", .int(1)), call(0, "stop"), call(0, "end"), call(0, "userOptOut", .string("x")),
            call(0, "appDisableApi", .bool(true)), call(0, "state"),
        ],
        expected: [state(0, "initial"), state(0, "initial")]
    )

    static let viewPing = Scenario(
        "the first playhead makes one view ping",
        tracker: tracker,
        steps: processing + [call(0, "state"), call(1_000, "playheadPosition", .int(1))],
        expected: processingExpected + [state(0, "processing"), Expect.first(1_000, 1)]
            + Expect.view(1_000, ["rt": "video", "ad": "0", "c3": "st,c", "cr": "4_00_99_V1_00000", "sd": "170"])
    )

    static let fullPlayback = Scenario(
        "170 playheads and end: one final ping for what was viewed",
        tracker: tracker,
        steps: processing + (1...170).map { call($0 * 1000, "playheadPosition", .int($0)) }
            + [call(170_500, "end"), call(170_500, "state"), call(171_000, "playheadPosition", .int(171))],
        expected: processingExpected + [Expect.first(1_000, 1)] + Expect.view(1_000)
            + Expect.playheads(from: 2_000, 2...170) + [Expect.end(170_500)]
            + Expect.final(170_500, 169, ["cr": "4_00_99_D1_11100"]) + [state(170_500, "idle")]
    )

    static let playTwice = Scenario(
        "play while a video is played has no effect; another channel is told with its key",
        tracker: tracker,
        steps: processing + [call(0, "play", .string("C")), call(0, "play", .string("D")), call(0, "end")],
        expected: processingExpected + [Expect.warning(0, "channelName"), Expect.end(0)]
    )

    static let optOut = Scenario(
        "opted out, pings go on with the mark; any text but the two addresses is ignored",
        tracker: tracker,
        steps: processing + [
            call(0, "userOptOut", .string("nielsenappsdk://1")), call(0, "userOptOut", .string("nielsenappsdk://2")),
            call(1_000, "playheadPosition", .int(1)), call(1_000, "userOptOut", .string("nielsenappsdk://0")),
        ],
        expected: processingExpected + [
            .at(0, "userOptOut", ["url": .string("nielsenappsdk://1")]),
            .at(0, "optOutStatus", ["value": .bool(true), "source": .string("user")]), Expect.error(0, 2, "url"),
            Expect.first(1_000, 1),
        ]
            + Expect.view(1_000, ["uoo": "true"])
            + [
                .at(1_000, "userOptOut", ["url": .string("nielsenappsdk://0")]),
                .at(1_000, "optOutStatus", ["value": .bool(false)]),
            ]
    )

    static let badPlayhead = Scenario(
        "a playhead that is negative or repeats the one before is refused with code 15",
        tracker: tracker,
        steps: processing + [
            call(0, "playheadPosition", .int(-1)), call(0, "playheadPosition", .int(1)),
            call(0, "playheadPosition", .int(1)),
        ],
        expected: processingExpected + [Expect.error(0, 15, "position"), Expect.first(0, 1)] + Expect.view(0)
            + [Expect.error(0, 15, "position")]
    )

    static let disable = Scenario(
        "a disabled instance processes nothing, and is idle when it is enabled again",
        tracker: tracker,
        steps: processing + [
            call(0, "playheadPosition", .int(1)), call(1_000, "playheadPosition", .int(2)),
            call(1_500, "appDisableApi", .bool(true)), call(1_500, "state"), call(2_000, "playheadPosition", .int(3)),
            call(2_000, "stop"), call(2_000, "end"), call(2_000, "play", .string("C")),
            call(3_000, "appDisableApi", .bool(false)), call(3_000, "state"), call(3_000, "playheadPosition", .int(4)),
            call(3_000, "loadMetadata", .string(content)), call(4_000, "play", .string("C")),
            call(4_000, "loadMetadata", .string(content)),
        ],
        expected: processingExpected + [Expect.first(0, 1)] + Expect.view(0) + Expect.playheads(from: 1_000, 2...2)
            + [
                .at(1_500, "appDisableApi", ["value": .bool(true)]), state(1_500, "disabled"),
                .at(3_000, "appDisableApi", ["value": .bool(false)]), state(3_000, "idle"), Expect.play(4_000, "C"),
                Expect.load(4_000, "content", "A-1"),
            ]
    )

    static let staticInIdle = Scenario(
        "an idle instance takes static content, and no other asset",
        tracker: tracker,
        steps: idle + [
            call(0, "loadMetadata", .string(content)), call(0, "playheadPosition", .int(1)), call(0, "stop"),
            call(0, "end"), call(0, "loadMetadata", .string(#"{"type":"static","section":"Home"}"#)), call(0, "state"),
        ],
        expected: idleExpected + [.at(0, "loadMetadata", ["section": .string("Home")])]
            + Expect.view(0, ["rt": "text", "davty": "0"]) + [state(0, "idle")]
    )

    static let sameAssetAgain = Scenario(
        "the same asset with other metadata: the key is told, and the first metadata stay",
        tracker: tracker,
        steps: processing + [
            call(0, "loadMetadata", .string(content.replacing(#""title":"T""#, with: #""title":"U""#)))
        ],
        expected: processingExpected + [
            Expect.warning(0, "title"), Expect.load(0, "content", "A-1", ["title": .string("T")]),
        ]
    )

    static let otherAsset = Scenario(
        "another asset without an end: what was viewed of the first is sent",
        tracker: tracker,
        steps: processing + [
            call(0, "playheadPosition", .int(1)), call(1_000, "playheadPosition", .int(2)),
            call(2_000, "loadMetadata", .string(content.replacing("A-1", with: "A-2"))),
        ],
        expected: processingExpected + [Expect.first(0, 1)] + Expect.view(0) + Expect.playheads(from: 1_000, 2...2)
            + Expect.final(2_000, 1, ["ai": "A-1"]) + [Expect.load(2_000, "content", "A-2")]
    )

    static let adAfterEnd = Scenario(
        "after the end an ad can still be measured, other content needs play first",
        tracker: tracker,
        steps: processing + [
            call(0, "end"), call(0, "loadMetadata", .string(content)),
            call(0, "loadMetadata", .string(#"{"type":"postroll","assetid":"ad-9"}"#)),
            call(0, "playheadPosition", .int(0)), call(500, "stop"), call(500, "end"),
        ],
        expected: processingExpected + [
            Expect.end(0), Expect.load(0, "postroll", "ad-9"), Expect.first(0, 0, "postroll"),
        ]
            + Expect.view(0, ["ad": "1", "cg": "P"]) + [Expect.stop(500)]
    )

    /// Arguments of `loadMetadata` that are refused with code 2 and the key, and after which nothing is measured.
    static let refusedArguments: [Scenario] = [
        refused("a number", .int(3), "metadata"), refused("a list", .list([.int(1)]), "metadata"),
        refused("broken JSON", .string(#"{"type":"content""#), "metadata"),
        refused("JSON that is no object", .string(#"["content"]"#), "metadata"),
        refused("a number as value", .string(content.replacing(#""170""#, with: "170")), "length"),
        refused("a truth value", .string(content.replacing(#""y""#, with: "true")), "isfullepisode"),
        refused("a key in another case", .string(content.replacing("assetid", with: "AssetId")), "assetid"),
        refused("a type in another case", .string(content.replacing(#""content""#, with: #""Content""#)), "type"),
        refused("special characters", .string(content.replacing("A-1", with: "A:1")), "assetid"),
        refused("an ad without an id", .string(#"{"type":"preroll"}"#), "assetid"),
        refused("a key twice", .string(#"{"type":"ad","assetid":"1","assetid":"2"}"#), "metadata"),
        refused("no type", .string(#"{"assetid":"1"}"#), "type"),
        refused("a day that does not exist", .string(content.replacing("19700101", with: "20230229")), "airdate"),
    ]

    private static func refused(_ name: String, _ argument: PlainValue, _ key: String) -> Scenario {
        Scenario(
            "loadMetadata with \(name) is refused with the key \(key)",
            tracker: tracker,
            steps: idle + [
                call(0, "play", .string("C")), call(0, "loadMetadata", argument), call(0, "playheadPosition", .int(1)),
                call(0, "state"),
            ],
            expected: idleExpected + [Expect.play(0, "C"), Expect.error(0, 2, key), state(0, "idle")]
        )
    }
}

extension String {
    /// The text with all places of another one replaced.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}
