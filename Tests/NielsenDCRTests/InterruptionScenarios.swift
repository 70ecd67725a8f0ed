import EventModel
import Tally
import TallyTesting
import TextEncoding

/// Pauses, waiting, seeks and the guide's nine interruptions.
enum InterruptionScenarios {
    static let all: [Scenario] =
        [
            pause, buffering, seeking, pauseWhileBuffering, lockOfAudio, backgroundOfAudio, sameChannelAgain,
            otherChannel, background, interruptionInAd, longPause, interruptedBeforeStart,
        ] + interruptions

    private static let started: [Scenario.Step] = [.at(0, .load), .at(0, .play), .at(0, .firstFrame)]

    private static let beginning: [Scenario.Expected] =
        [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)] + Expect.view(0)

    static let pause = Scenario(
        "a pause is stop, and playing on is a playhead alone",
        tracker: Setup.tracker(),
        steps: started + [.at(2_500, .pause), .at(5_000, .play), .at(6_200, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_500)]
            + Expect.final(2_500, 2, ["cr": "4_00_99_D1_00000"]) + [Expect.first(5_000, 2)]
            + Expect.playheads(from: 6_000, 3...3) + [Expect.end(6_200)]
            + Expect.final(6_200, 1, ["cr": "4_00_99_D2_00000"])
    )

    static let buffering = Scenario(
        "buffering withholds the playhead without a stop, and the second goes on where it was",
        tracker: Setup.tracker(),
        steps: started + [.at(2_400, .bufferStart(.stall)), .at(9_000, .bufferComplete), .at(10_700, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...2) + Expect.playheads(from: 9_600, 3...4)
            + [Expect.end(10_700)] + Expect.final(10_700, 4)
    )

    static let seeking = Scenario(
        "a seek withholds the playhead without a stop, and goes on at its target",
        tracker: Setup.tracker(),
        steps: started + [.at(1_400, .seekStart(to: 60)), .at(2_000, .seekComplete), .at(3_100, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.first(2_000, 60)]
            + Expect.playheads(from: 3_000, 61...61) + [Expect.end(3_100)] + Expect.final(3_100, 2)
    )

    static let pauseWhileBuffering = Scenario(
        "a pause during buffering is stop all the same",
        tracker: Setup.tracker(),
        steps: started + [
            .at(1_500, .bufferStart(.stall)), .at(2_000, .pause), .at(3_000, .bufferComplete), .at(3_000, .pause),
            .at(4_000, .unload),
        ],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(2_000)] + Expect.final(2_000, 1)
            + [Expect.end(4_000)]
    )

    /// Network loss, call, alarm, lock, background, headphones, and a word of the application's own.
    static let interruptions: [Scenario] =
        ["network", "call", "alarm", "lock", "background", "headphones", "doorbell"].map { reason in
            Scenario(
                "interrupted by \(reason): stop at once, then a playhead for a new viewing session",
                tracker: Setup.tracker(),
                steps: started + [
                    .at(2_500, .interruptionStart(reason)), .at(5_000, .show(.position(2_600))),
                    .at(5_000, .interruptionEnd), .at(6_100, .unload),
                ],
                expected: beginning + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_500)]
                    + Expect.final(2_500, 2) + [Expect.first(5_000, 2)] + Expect.playheads(from: 6_000, 3...3)
                    + [Expect.end(6_100)] + Expect.final(6_100, 1)
            )
        }

    private static func audio(_ name: String, _ begin: PlayerAction, _ end: PlayerAction) -> Scenario {
        Scenario(
            name,
            tracker: Setup.tracker(),
            steps: [.at(0, .show(.audioOnly(true)))] + started + [
                .at(1_500, begin), .at(2_500, end), .at(3_100, .unload),
            ],
            expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
                + Expect.view(0, ["rt": "audio"]) + Expect.playheads(from: 1_000, 1...3) + [Expect.end(3_100)]
                + Expect.final(3_100, 3)
        )
    }

    static let lockOfAudio = audio(
        "a locked device does not interrupt audio",
        .interruptionStart("lock"),
        .interruptionEnd
    )

    static let backgroundOfAudio = audio("the background does not interrupt audio", .background, .foreground)

    static let background = Scenario(
        "the application in the background interrupts video",
        tracker: Setup.tracker(),
        steps: started + [.at(1_500, .background), .at(4_000, .foreground), .at(4_500, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(1_500)] + Expect.final(1_500, 1)
            + [Expect.first(4_000, 4), Expect.end(4_500)]
    )

    static let sameChannelAgain = Scenario(
        "back on the same channel, the asset goes on",
        tracker: Setup.tracker(),
        steps: started + [
            .at(1_500, .interruptionStart("channel_change")), .at(3_000, .show(.position(1_500))),
            .at(3_000, .interruptionEnd), .at(3_500, .unload),
        ],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(1_500)] + Expect.final(1_500, 1)
            + [Expect.first(3_000, 1), Expect.end(3_500)]
    )

    static let otherChannel = Scenario(
        "another channel is stop and a new asset",
        tracker: Setup.tracker(),
        steps: started + [
            .at(1_500, .interruptionStart("channel_change")), .at(2_000, .show(.assetID("asset-9"))),
            .at(2_000, .show(.videoAttribute("nielsen.channelName", .string("Channel 9")))),
            .at(2_000, .show(.position(0))), .at(2_000, .metadata(name: "Nine")), .at(2_000, .interruptionEnd),
            .at(3_100, .unload),
        ],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(1_500)] + Expect.final(1_500, 1)
            + [
                Expect.end(2_000), Expect.play(2_000, "Channel 9"),
                Expect.load(2_000, "content", "asset-9", ["title": .string("Nine")]), Expect.first(2_000, 1),
            ]
            + Expect.view(2_000, ["ai": "asset-9"]) + Expect.playheads(from: 3_000, 2...2) + [Expect.end(3_100)]
            + Expect.final(3_100, 1)
    )

    static let interruptionInAd = Scenario(
        "an ad that is interrupted goes on where it was",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .adStart(3)), .at(1_500, .interruptionStart("call")),
            .at(3_000, .interruptionEnd), .at(4_100, .adComplete), .at(4_200, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.load(0, "ad", "ad-3"),
            Expect.first(0, 0, "ad"),
        ]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...1, "ad") + [Expect.stop(1_500)]
            + Expect.final(1_500, 1) + [Expect.first(3_000, 1, "ad")] + Expect.playheads(from: 4_000, 2...2, "ad")
            + [Expect.stop(4_100)] + Expect.final(4_100, 1, ["cr": "4_00_99_D2_00000"]) + [Expect.end(4_200)]
    )

    static let longPause = Scenario(
        "a suspension that is longer than the limit makes a new stream",
        tracker: Setup.tracker(["pauseTimeoutSeconds": 10]),
        steps: started + [.at(1_500, .pause), .at(20_000, .play), .at(21_100, .unload)],
        expected: [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0),
        ]
            + Expect.view(0, ["c64": "starttm,1700000000"]) + Expect.playheads(from: 1_000, 1...1)
            + [Expect.stop(1_500)] + Expect.final(1_500, 1, ["c64": "starttm,1700000000"])
            + [Expect.first(20_000, 1)] + Expect.playheads(from: 21_000, 2...2) + [Expect.end(21_100)]
            + Expect.final(21_100, 1, ["c64": "starttm,1700000020", "c61": "createtm,1700000021"])
    )

    static let interruptedBeforeStart = Scenario(
        "an interruption before the content was loaded is no stop",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .interruptionStart("call")), .at(200, .firstFrame),
            .at(900, .interruptionEnd), .at(1_000, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(900, "content", "asset-1"), Expect.first(900, 0)]
            + Expect.view(900) + [Expect.end(1_000)]
    )
}
