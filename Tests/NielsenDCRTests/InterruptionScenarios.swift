import EventModel
import Tally
import TallyTesting
import TextEncoding

/// Pauses, waiting, seeks and the guide's nine interruptions.
enum InterruptionScenarios {
    static let all: [Scenario] =
        [
            pause, buffering, seeking, pauseWhileBuffering, lockOfAudio, backgroundOfAudio, headphonesOfAudio,
            sameChannelAgain, otherChannel, background, interruptionInAd, interruptedBeforeStart, pauseBeforeSeek,
            pauseBeforeEnd, initialBuffering, pauseAtSecond, bufferAtSecond,
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

    static let headphonesOfAudio = Scenario(
        "unplugged headphones interrupt audio as well",
        tracker: Setup.tracker(),
        steps: [.at(0, .show(.audioOnly(true)))] + started + [
            .at(1_500, .interruptionStart("headphones")), .at(2_500, .interruptionEnd), .at(3_100, .unload),
        ],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(1_500)] + Expect.final(1_500, 1)
            + [Expect.first(2_500, 2), Expect.end(3_100)]
    )

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

    static let pauseBeforeSeek = Scenario(
        "a player that pauses for a seek: stop, and a playhead at the target when it plays on",
        tracker: Setup.tracker(),
        steps: started + [
            .at(2_500, .pause), .at(2_500, .seekStart(to: 60)), .at(3_000, .seekComplete), .at(3_000, .play),
            .at(4_100, .unload),
        ],
        expected: beginning + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_500)] + Expect.final(2_500, 2)
            + [Expect.first(3_000, 60)] + Expect.playheads(from: 4_000, 61...61) + [Expect.end(4_100)]
            + Expect.final(4_100, 1)
    )

    static let pauseBeforeEnd = Scenario(
        "a player that pauses at the end: stop and end, with one final ping",
        tracker: Setup.tracker(),
        steps: started + [.at(2_500, .pause), .at(2_500, .complete), .at(2_600, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_500)] + Expect.final(2_500, 2)
            + [Expect.end(2_500)]
    )

    static let initialBuffering = Scenario(
        "buffering before the first frame is no viewing: play is called, and the content begins with its playback",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(100, .play), .at(100, .bufferStart(.initial)), .at(2_500, .firstFrame),
            .at(2_600, .show(.position(0))), .at(2_600, .bufferComplete), .at(3_700, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(100), Expect.load(2_600, "content", "asset-1"), Expect.first(2_600, 0),
        ]
            + Expect.view(2_600) + Expect.playheads(from: 3_600, 1...1) + [Expect.end(3_700)] + Expect.final(3_700, 1)
    )

    /// The pause is taken before the timer of the same microsecond fires.
    static let pauseAtSecond = Scenario(
        "a second that is over at the very microsecond of a pause counts",
        tracker: Setup.tracker(),
        endsAtOnce: true,
        steps: started + [.at(2_000, .pause)],
        expected: beginning + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_000)] + Expect.final(2_000, 2)
            + [Expect.end(2_000)]
    )

    static let bufferAtSecond = Scenario(
        "a second that is over at the very microsecond at which buffering begins counts there, and once",
        tracker: Setup.tracker(),
        endsAtOnce: true,
        steps: started + [.at(2_000, .bufferStart(.stall)), .at(2_000, .bufferComplete), .at(2_000, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...2) + [Expect.end(2_000)] + Expect.final(2_000, 2)
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
