import Tally
import TallyTesting

/// Sequences of calls that the guides describe, and what they lead to.
enum BehaviourScenarios {
    static let all: [Scenario] = [
        guideSequence, pauseUntilUnload, chapterWithoutInformation, skippedChapter, errors, bitrates,
        liveWithoutLength, quiet, bufferingInAPause, secondSession, cancelledEnd, drainedEnd, missingInformation,
        interval, repeats, renditionsWithoutShift, seekOutOfTheChapter, seeksWhilePlaying, rateOfZero,
        rateOfZeroInAd,
    ]

    /// The example of the 1.4 guide, "Handle Player Events".
    static let guideSequence = Scenario(
        "Pause, seek, seek, seek complete, play",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(4_000, .pause), .at(5_000, .seekStart(to: 60)),
            .at(6_000, .seekStart(to: 90)), .at(7_000, .seekComplete), .at(9_000, .play), .at(15_200, .unload),
        ],
        rows: [
            .load(),
            Row(15_000, "start", 0, 0, 1, 0, 0, -1),
            Row(15_000, "play", 92, 10_000, 2, 10_000, 9_000, -1),
            Row(15_000, "active", 98, 15_000, 1, 15_000, 15_000, -1),
            Row(15_200, "unload", 0, 0, 1, 0, 15_200, -1),
        ]
    )

    static let seeksWhilePlaying = Scenario(
        "Of several seeks one behind another one completion ends them all, also without a pause around them",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(4_000, .seekStart(to: 60)), .at(6_000, .seekStart(to: 90)),
            .at(7_000, .seekComplete), .at(13_200, .unload),
        ],
        rows: [
            .load(),
            Row(13_000, "start", 0, 0, 1, 0, 0, -1),
            Row(13_000, "play", 90, 10_000, 2, 10_000, 7_000, -1),
            Row(13_000, "active", 96, 13_000, 1, 13_000, 13_000, -1),
            Row(13_200, "unload", 0, 0, 1, 0, 13_200, -1),
        ]
    )

    static let pauseUntilUnload = Scenario(
        "A pause that no play follows sends nothing until the unload",
        sampled: true,
        steps: [.at(0, .load), .at(0, .play), .at(3_000, .pause), .at(60_000, .unload)],
        rows: [.load(), Row(60_000, "unload", 0, 0, 1, 0, 60_000, -1)]
    )

    static let chapterWithoutInformation = Scenario(
        "A chapter that the delegate knows nothing of is dropped",
        player: {
            var player = SyntheticPlayer.Model()
            player.chapterAnswer = { _ in }
            return player
        }(),
        steps: [.at(0, .load), .at(100, .chapterStart(1)), .at(200, .chapterComplete), .at(300, .unload)],
        rows: [.load(), Row(300, "unload", 0, 0, 1, 0, 300, -1, lacks: ["s:stream:chapter_id"])]
    )

    static let skippedChapter = Scenario(
        "A chapter that is left is not said to have completed",
        steps: [.at(0, .load), .at(100, .chapterStart(1)), .at(200, .chapterSkip), .at(300, .unload)],
        rows: [
            .load(),
            Row(100, "chapter_start", 0, 0, 1, 0, 100, -1),
            Row(300, "unload", 0, 0, 1, 0, 300, -1, lacks: ["s:stream:chapter_id"]),
        ]
    )

    static let errors = Scenario(
        "Errors go out at once, with their id and source",
        steps: [.at(0, .load), .at(100, .playerError("P 1&2")), .at(200, .applicationError("A1")), .at(300, .unload)],
        rows: [
            .load(),
            Row(100, "error", 0, 0, 1, 0, 100, -1, has: error("P 1&2", "sourceErrorSDK")),
            Row(200, "error", 0, 0, 2, 0, 200, 100, has: error("A1", "sourceErrorExternal")),
            Row(300, "unload", 0, 0, 1, 0, 300, -1, lacks: ["s:event:id"]),
        ]
    )

    static func error(_ id: String, _ source: String) -> [String: PlainValue] {
        ["s:event:id": .string(id), "s:event:source": .string(source)]
    }

    static let bitrates = Scenario(
        "A bitrate change goes out when it is visible, with the new bitrate, by whatever cause",
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .rendition(bitrate: 900_000, shift: .down, phase: .decided)),
            .at(2_000, .rendition(bitrate: 900_000, shift: .down, phase: .visible)), .at(3_000, .quality),
            .at(4_000, .unload),
        ],
        rows: [
            .load(),
            Row(2_000, "bitrate_change", 2, 0, 1, 0, 2_000, -1, has: ["l:stream:bitrate": .int(900_000)]),
            Row(
                4_000,
                "unload",
                0,
                0,
                1,
                0,
                4_000,
                -1,
                has: ["l:stream:bitrate": .int(900_000), "l:stream:dropped_frames": .int(1)]
            ),
        ]
    )

    /// A rendition of which the player does not say whether it is a higher or a lower one.
    private static func rendition(_ bitrate: Int64, _ phase: Rendition.Phase) -> PlayerAction {
        .call(
            PlayerCall("rendition \(bitrate) \(phase)") { player, run in
                var rendition = Rendition()
                rendition.bitrate = bitrate
                rendition.phase = phase
                if phase == .visible { player.change { $0.bitrate = bitrate } }
                run.trackRenditionChange(rendition)
            }
        )
    }

    static let renditionsWithoutShift = Scenario(
        "Another bitrate on screen goes out once, also when the player does not say whether it is a higher one",
        steps: [
            .at(0, .load), .at(100, rendition(3_000_000, .visible)), .at(200, .play),
            .at(1_000, rendition(900_000, .decided)), .at(2_000, rendition(900_000, .visible)),
            .at(2_500, rendition(900_000, .visible)), .at(3_000, rendition(1_500_000, .visible)), .at(4_000, .unload),
        ],
        rows: [
            .load(),
            Row(2_000, "bitrate_change", 1, 0, 1, 0, 2_000, -1, has: bitrate(900_000)),
            Row(3_000, "bitrate_change", 2, 0, 2, 0, 3_000, 2_000, has: bitrate(1_500_000)),
            Row(4_000, "unload", 0, 0, 1, 0, 4_000, -1, has: bitrate(1_500_000)),
        ]
    )

    private static func bitrate(_ bitrate: Int64) -> [String: PlainValue] { ["l:stream:bitrate": .int(bitrate)] }

    static let seekOutOfTheChapter = Scenario(
        "A seek leaves the chapter, and the player's word of it afterwards changes nothing",
        steps: [
            .at(0, .load), .at(100, .chapterStart(1)), .at(200, .seekStart(to: 300)),
            .at(300, .call(PlayerCall("no chapter there") { player, _ in player.change { $0.chapter = nil } })),
            .at(300, .seekComplete), .at(300, .chapterSkip), .at(400, .playerError("E")), .at(500, .unload),
        ],
        rows: [
            .load(),
            Row(100, "chapter_start", 0, 0, 1, 0, 100, -1),
            Row(400, "error", 300, 0, 1, 0, 400, -1, has: error("E", "sourceErrorSDK"), lacks: ["s:stream:chapter_id"]),
            Row(500, "unload", 0, 0, 1, 0, 500, -1, lacks: ["s:stream:chapter_id"]),
        ]
    )

    static let liveWithoutLength = Scenario(
        "A live stream needs neither length nor playhead; both are sent as -1",
        player: {
            var player = SyntheticPlayer.Model()
            player.streamType = .live
            player.length = nil
            player.tellsPlayhead = false
            return player
        }(),
        steps: [.at(0, .load), .at(0, .play), .at(10_500, .unload)],
        rows: [
            Row(0, "load/live", 0, 0, 1, 0, 0, -1, has: ["l:asset:duration": .int(-1)]),
            Row(10_000, "start/live", -1, 0, 1, 0, 0, -1),
            Row(10_000, "play/live", -1, 10_000, 1, 10_000, 0, -1),
            Row(10_000, "active/live", -1, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload/live", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let quiet = Scenario(
        "A15: in quiet mode nothing is sent at all",
        Heartbeat.configuration.with(["quietMode": true]),
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .playerError("P")), .at(25_000, .complete), .at(25_000, .unload),
        ],
        rows: []
    )

    static let bufferingInAPause = Scenario(
        "What is loaded in a pause or a seek is no buffering",
        steps: [
            .at(0, .load), .at(0, .play), .at(2_000, .pause), .at(3_000, .bufferStart(.stall)),
            .at(4_000, .bufferComplete), .at(5_000, .play), .at(13_500, .unload),
        ],
        rows: [
            .load(),
            Row(13_000, "start", 0, 0, 1, 0, 0, -1),
            Row(13_000, "play", 3, 10_000, 2, 10_000, 5_000, -1),
            Row(13_000, "active", 3, 13_000, 1, 13_000, 13_000, -1),
            Row(13_500, "unload", 0, 0, 1, 0, 13_500, -1),
        ]
    )

    static let secondSession = Scenario(
        "A load while a session is open ends that session first, and counts anew",
        steps: [.at(0, .load), .at(2_000, .load), .at(3_000, .unload)],
        rows: [
            .load(),
            Row(2_000, "unload", 0, 0, 1, 0, 2_000, -1),
            Row(2_000, "load", 0, 0, 1, 0, 2_000, -1),
            Row(3_000, "unload", 0, 0, 1, 0, 3_000, -1),
        ]
    )

    static let cancelledEnd = Scenario(
        "COMPLETE and UNLOAD are lost when destroy cancels what is queued",
        end: .cancel,
        endsAtOnce: true,
        steps: [.at(0, .load), .at(0, .play), .at(9_000, .complete), .at(9_000, .unload)],
        rows: [.load()]
    )

    static let drainedEnd = Scenario(
        "COMPLETE and UNLOAD are kept when destroy drains",
        endsAtOnce: true,
        steps: [.at(0, .load), .at(0, .play), .at(9_000, .complete), .at(9_000, .unload)],
        rows: [
            .load(),
            Row(9_000, "start", 0, 0, 1, 0, 0, -1),
            Row(9_000, "play", 0, 9_000, 1, 9_000, 0, -1),
            Row(9_000, "complete", 600, 0, 1, 0, 9_000, -1),
            Row(9_000, "unload", 0, 0, 1, 0, 9_000, -1),
        ]
    )

    static let missingInformation = Scenario(
        "A load that never learns all that is mandatory leads to the error state when the video is left",
        player: {
            var player = SyntheticPlayer.Model()
            player.tellsPlayhead = false
            return player
        }(),
        steps: [.at(0, .load), .at(500, .play), .at(2_000, .bufferStart(.initial)), .at(4_000, .unload)],
        rows: [],
        errors: [
            .at(
                4_000,
                "tracker_error",
                ["code": .string("information"), "details": .string("VideoInfo.playhead is missing or no number")]
            )
        ]
    )

    static let interval = Scenario(
        "The remote settings' interval can be configured",
        Heartbeat.configuration.with(["trackingInterval": 3]),
        steps: [.at(0, .load), .at(0, .play), .at(4_000, .unload)],
        rows: [
            .load(),
            Row(3_000, "start", 0, 0, 1, 0, 0, -1),
            Row(3_000, "play", 0, 3_000, 1, 3_000, 0, -1),
            Row(3_000, "active", 0, 3_000, 1, 3_000, 3_000, -1),
            Row(4_000, "unload", 0, 0, 1, 0, 4_000, -1),
        ]
    )

    static let repeats = Scenario(
        "A call that says what is so already, or ends what never began, changes nothing",
        steps: [
            .at(0, .load), .at(0, .play), .at(1_000, .play), .at(2_000, .bufferComplete), .at(3_000, .seekComplete),
            .at(4_000, .adComplete), .at(5_000, .chapterComplete), .at(10_500, .unload), .at(11_000, .play),
        ],
        rows: [
            .load(),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 0, 10_000, 1, 10_000, 0, -1),
            Row(10_000, "active", 5, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let rateOfZero = Scenario(
        "A player that stands at a rate of 0 is paused, and so is its quantum",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(4_000, .rate(0)), .at(9_000, .rate(1)),
            .at(15_500, .unload),
        ],
        rows: [
            .load(),
            Row(15_000, "start", 0, 0, 1, 0, 0, -1),
            Row(15_000, "play", 4, 10_000, 2, 10_000, 9_000, -1),
            Row(15_000, "active", 10, 15_000, 1, 15_000, 15_000, -1),
            Row(15_500, "unload", 0, 0, 1, 0, 15_500, -1),
        ]
    )

    static let rateOfZeroInAd = Scenario(
        "An ad that stands at a rate of 0 is paused",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .adStart(0)), .at(4_000, .rate(0)),
            .at(9_000, .rate(1)), .at(11_000, .adComplete), .at(15_500, .unload),
        ],
        rows: [
            .load(),
            Row(15_000, "start", 0, 0, 1, 0, 0, -1),
            Row(15_000, "play", 6, 6_000, 2, 6_000, 11_000, -1),
            Row(15_000, "start/ad", 2, 0, 1, 0, 2_000, -1),
            Row(15_000, "play/ad", 6, 4_000, 3, 4_000, 11_000, -1),
            Row(15_000, "complete/ad", 6, 0, 1, 0, 11_000, -1),
            Row(15_000, "active", 10, 15_000, 1, 15_000, 15_000, -1),
            Row(15_500, "unload", 0, 0, 1, 0, 15_500, -1),
        ]
    )
}
