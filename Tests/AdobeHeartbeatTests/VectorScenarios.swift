import Tally
import TallyTesting

/// The specification's vectors of the 10-second timeline.
enum VectorScenarios {
    static let all: [Scenario] = [
        wholePlayback, abandonedAfterPause, preroll, buffering, chapters, oldWholePlayback, externalErrorsOff,
    ]

    private static func player(length: Double) -> SyntheticPlayer.Model {
        var player = SyntheticPlayer.Model()
        player.length = length
        return player
    }

    static let wholePlayback = Scenario(
        "A1: a playback of 25 s from load to end",
        sampled: true,
        player: player(length: 25),
        steps: [.at(0, .load), .at(1_000, .play), .at(25_000, .complete), .at(25_000, .unload)],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(10_000, "start", 0, 1_000, 1, 1_000, 0, -1),
            Row(10_000, "play", 0, 9_000, 1, 9_000, 1_000, -1),
            Row(10_000, "active", 9, 10_000, 1, 10_000, 10_000, -1),
            Row(20_000, "play", 9, 10_000, 2, 19_000, 10_000, 1_000),
            Row(20_000, "active", 19, 10_000, 2, 20_000, 20_000, 10_000),
            Row(25_000, "play", 19, 5_000, 3, 24_000, 20_000, 10_000),
            Row(25_000, "complete", 25, 0, 1, 0, 25_000, -1),
            Row(25_000, "unload", 0, 0, 1, 0, 25_000, -1),
        ]
    )

    static let abandonedAfterPause = Scenario(
        "A2: nothing goes out during a pause, and the tail is lost when the video is left",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(5_000, .pause), .at(25_000, .play), .at(32_000, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(30_000, "start", 0, 0, 1, 0, 0, -1),
            Row(30_000, "play", 5, 10_000, 2, 10_000, 25_000, -1),
            Row(30_000, "active", 10, 30_000, 1, 30_000, 30_000, -1),
            Row(32_000, "unload", 0, 0, 1, 0, 32_000, -1),
        ]
    )

    static let preroll = Scenario(
        "A3: an ad before the content",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .adStart(0)), .at(15_000, .adComplete), .at(15_000, .play), .at(21_000, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1, lacks: ["s:asset:ad_id"]),
            Row(10_000, "start/ad", 0, 0, 1, 0, 0, -1, has: adAttributes),
            Row(10_000, "play/ad", 0, 10_000, 1, 10_000, 0, -1, has: adAttributes),
            Row(10_000, "active", 0, 10_000, 1, 10_000, 10_000, -1, lacks: ["s:asset:ad_id"]),
            Row(20_000, "play/ad", 0, 5_000, 3, 15_000, 15_000, 0, has: adAttributes),
            Row(20_000, "complete/ad", 0, 0, 1, 0, 15_000, -1, has: adAttributes),
            Row(20_000, "play", 0, 5_000, 1, 5_000, 15_000, -1),
            Row(20_000, "active", 5, 10_000, 2, 20_000, 20_000, 10_000),
            Row(21_000, "unload", 0, 0, 1, 0, 21_000, -1),
        ]
    )

    /// MD5 of `asset-1`, the break's position, and what the player says of its first ad.
    static let adAttributes: [String: PlainValue] = [
        "s:asset:ad_id": .string("ad-0"), "s:asset:resolver": .string("synthetic"),
        "s:asset:pod_id": .string("a5fcc136799945189a0c22117b61ddfd_1"), "s:asset:pod_position": .string("1"),
        "l:asset:pod_second": .int(0), "l:asset:length": .int(15), "l:asset:duration": .int(600),
    ]

    static let buffering = Scenario(
        "A4: buffering has a row of its own and parts of play are one",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(4_000, .bufferStart(.stall)), .at(7_000, .bufferComplete),
            .at(10_500, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 4, 7_000, 2, 7_000, 7_000, -1),
            Row(10_000, "buffer", 4, 3_000, 1, 3_000, 4_000, -1),
            Row(10_000, "active", 7, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let chapters = Scenario(
        "A5: chapters cut playback in two",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .chapterStart(1)), .at(6_000, .chapterComplete),
            .at(6_000, .chapterStart(2)), .at(10_500, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1, lacks: ["s:stream:chapter_id"]),
            Row(0, "chapter_start", 0, 0, 1, 0, 0, -1, has: chapterAttributes),
            Row(6_000, "chapter_complete", 6, 0, 1, 0, 6_000, -1, has: chapterAttributes),
            Row(6_000, "chapter_start", 6, 0, 2, 0, 6_000, 0, has: ["l:stream:chapter_pos": .int(2)]),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1, lacks: ["s:stream:chapter_id"]),
            Row(10_000, "play", 6, 0, 4, 10_000, 6_000, -1, lacks: ["s:stream:chapter_id"]),
            Row(10_000, "play", 0, 6_000, 4, 10_000, 0, 0, has: chapterAttributes),
            Row(10_000, "play", 6, 4_000, 4, 10_000, 6_000, 6_000, has: ["l:stream:chapter_pos": .int(2)]),
            Row(10_000, "active", 10, 10_000, 1, 10_000, 10_000, -1, has: ["l:stream:chapter_pos": .int(2)]),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1, has: ["l:stream:chapter_pos": .int(2)]),
        ]
    )

    private static let chapterAttributes: [String: PlainValue] = [
        "s:stream:chapter_id": .string("a5fcc136799945189a0c22117b61ddfd_1"),
        "s:stream:chapter_name": .string("Chapter 1"), "l:stream:chapter_pos": .int(1),
        "l:stream:chapter_length": .int(60), "l:stream:chapter_offset": .int(60),
    ]

    static let oldWholePlayback = Scenario(
        "A8: as 1.3.1, the last quantum says that the session was alive",
        Heartbeat.oldConfiguration,
        sampled: true,
        player: player(length: 25),
        steps: [.at(0, .load), .at(0, .play), .at(25_000, .complete), .at(25_000, .unload)],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1, has: ["l:sp:hb_api_lvl": .int(1)]),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 0, 10_000, 1, 10_000, 0, -1),
            Row(10_000, "active", 10, 10_000, 1, 10_000, 10_000, -1),
            Row(20_000, "play", 10, 10_000, 2, 20_000, 10_000, 0),
            Row(20_000, "active", 20, 10_000, 2, 20_000, 20_000, 10_000),
            Row(25_000, "play", 20, 5_000, 3, 25_000, 20_000, 10_000),
            Row(25_000, "complete", 25, 0, 1, 0, 25_000, -1),
            Row(25_000, "active", 25, 5_000, 3, 25_000, 25_000, 20_000),
            Row(25_000, "unload", 0, 0, 1, 0, 25_000, -1),
        ]
    )

    static let externalErrorsOff = Scenario(
        "A16: with trackExternalErrors off, errors of the player alone go out",
        Heartbeat.configuration.with(["trackExternalErrors": false]),
        steps: [
            .at(0, .load), .at(100, .applicationError("A1")), .at(200, .playerError("P1")), .at(300, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(
                200,
                "error",
                0,
                0,
                1,
                0,
                200,
                -1,
                has: ["s:event:id": .string("P1"), "s:event:source": .string("sourceErrorSDK")]
            ),
            Row(300, "unload", 0, 0, 1, 0, 300, -1),
        ]
    )
}
