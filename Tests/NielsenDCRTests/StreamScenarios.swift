import EventModel
import Tally
import TallyTesting
import TextEncoding

/// When a stream is over and another one begins: after a day, and after a suspension that was too long.
enum StreamScenarios {
    static let all: [Scenario] = [
        dayOver, dayOverWithFullPing, dayOverInAd, longPause, longPauseInAd, shortPause, sleep, shortSleep,
        sleepInBuffering,
    ]

    /// Buffering is no stop, so the stream goes on: its day is over while it plays.
    private static let almostADay: [Scenario.Step] = [
        .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_500, .bufferStart(.stall)),
        .at(86_397_500, .bufferComplete),
    ]

    private static let first = "starttm,1700000000"
    private static let second = "starttm,1700086400"

    private static let untilADay: [Scenario.Expected] =
        [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
        + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...2)
        + Expect.playheads(from: 86_398_000, 3...5)

    static let dayOver = Scenario(
        "a day after its beginning a stream is over: its seconds go to it, then another one is announced",
        tracker: Setup.tracker(),
        steps: almostADay + [.at(86_402_500, .unload)],
        expected: untilADay
            + Expect.final(86_400_000, 5, ["c64": first, "c61": "createtm,1700086400", "cr": "4_00_99_D1_00000"])
            + Expect.view(86_400_000, ["c64": second, "cr": "4_00_99_V1_00000"])
            + Expect.playheads(from: 86_401_000, 6...7) + [Expect.end(86_402_500)]
            + Expect.final(86_402_500, 2, ["c64": second, "cr": "4_00_99_D1_00000"])
    )

    static let dayOverWithFullPing = Scenario(
        "a ping that is full as the day is over is the old stream's",
        tracker: Setup.tracker(["segmentSeconds": 5, "segmentsPerPing": 1]),
        steps: almostADay + [.at(86_400_500, .unload)],
        expected: untilADay
            + Expect.ping(
                86_400_000,
                ["at": "timer", "c27": "cln,5", "davty": "1", "c64": first, "c61": "createtm,1700086400"]
            )
            + Expect.view(86_400_000, ["c64": second]) + [Expect.end(86_400_500)]
    )

    static let dayOverInAd = Scenario(
        "a stream whose day is over during an ad ends when it plays on, with the ad's seconds",
        tracker: Setup.tracker(),
        steps: Array(almostADay.dropLast()) + [
            .at(86_399_000, .adStart(3)), .at(86_399_000, .bufferComplete), .at(86_401_100, .adComplete),
            .at(86_402_200, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...2)
            + [Expect.load(86_399_000, "ad", "ad-3"), Expect.first(86_399_000, 0, "ad")] + Expect.view(86_399_000)
            + Expect.playheads(from: 86_400_000, 1...2, "ad") + [Expect.stop(86_401_100)]
            + Expect.final(86_401_100, 2)
            // The synthetic player's position runs on during the ad.
            + [Expect.load(86_401_100, "content", "asset-1"), Expect.first(86_401_100, 4)]
            + Expect.final(86_401_100, 2, ["c64": first, "c51": "adl,2", "c52": "noad,1"])
            + Expect.view(86_401_100, ["c64": "starttm,1700086401", "c51": "adl,0", "c52": "noad,0"])
            + Expect.playheads(from: 86_402_100, 5...5) + [Expect.end(86_402_200)]
            + Expect.final(86_402_200, 1, ["c64": "starttm,1700086401"])
    )

    private static let paused: [Scenario.Step] = [
        .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_500, .pause),
    ]

    private static let untilPause: [Scenario.Expected] =
        [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
        + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(1_500)]
        + Expect.final(1_500, 1, ["c64": first])

    static let longPause = Scenario(
        "a suspension that is longer than the limit makes a new stream, which a view ping announces",
        tracker: Setup.tracker(["pauseTimeoutSeconds": 10]),
        steps: paused + [.at(20_000, .play), .at(21_100, .unload)],
        expected: untilPause + [Expect.first(20_000, 1)]
            + Expect.view(20_000, ["c64": "starttm,1700000020", "cr": "4_00_99_V1_00000"])
            + Expect.playheads(from: 21_000, 2...2) + [Expect.end(21_100)]
            + Expect.final(
                21_100,
                1,
                ["c64": "starttm,1700000020", "c61": "createtm,1700000021", "cr": "4_00_99_D1_00000"]
            )
    )

    static let shortPause = Scenario(
        "a suspension of 30 minutes goes on with the stream, one that is longer makes another",
        tracker: Setup.tracker(),
        steps: paused + [
            .at(1_801_500, .play), .at(1_801_600, .pause), .at(3_601_601, .play), .at(3_601_700, .unload),
        ],
        expected: untilPause + [Expect.first(1_801_500, 1), Expect.stop(1_801_600), Expect.first(3_601_601, 1)]
            + Expect.view(3_601_601, ["c64": "starttm,1700003601"]) + [Expect.end(3_601_700)]
    )

    static let sleep = Scenario(
        "a sleep of the machine is a suspension: stop where it began, and after an hour a new stream",
        tracker: Setup.tracker(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .sleep(2_500, to: 3_602_500), .at(3_605_000, .pause),
            .at(3_606_000, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_500)]
            + Expect.final(2_500, 2, ["c64": first, "c61": "createtm,1700000002"]) + [Expect.first(3_602_500, 2)]
            + Expect.view(3_602_500, ["c64": "starttm,1700003602"]) + Expect.playheads(from: 3_603_500, 3...4)
            + [Expect.stop(3_605_000)]
            + Expect.final(3_605_000, 2, ["c64": "starttm,1700003602", "cr": "4_00_99_D1_00000"])
            + [Expect.end(3_606_000)]
    )

    static let shortSleep = Scenario(
        "after a sleep of half an hour the stream goes on; a pause in which the machine sleeps is one pause",
        tracker: Setup.tracker(),
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .sleep(2_500, to: 1_802_500), .at(1_803_700, .pause),
            .sleep(1_803_800, to: 5_403_800), .at(5_405_000, .play), .at(5_406_100, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...2) + [Expect.stop(2_500)]
            + Expect.final(2_500, 2, ["c64": first]) + [Expect.first(1_802_500, 2)]
            + Expect.playheads(from: 1_803_500, 3...3) + [Expect.stop(1_803_700)]
            + Expect.final(1_803_700, 1, ["c64": first, "cr": "4_00_99_D2_00000"]) + [Expect.first(5_405_000, 3)]
            + Expect.view(5_405_000, ["c64": "starttm,1700005405"]) + Expect.playheads(from: 5_406_000, 4...4)
            + [Expect.end(5_406_100)] + Expect.final(5_406_100, 1, ["c64": "starttm,1700005405"])
    )

    static let sleepInBuffering = Scenario(
        "a sleep while the player buffers is stop, and the playhead waits for the end of buffering",
        tracker: Setup.tracker(["pauseTimeoutSeconds": 10]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(1_500, .bufferStart(.stall)),
            .sleep(2_000, to: 3_602_000), .at(3_604_000, .bufferComplete), .at(3_605_100, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(2_000)]
            + Expect.final(2_000, 1, ["c64": first]) + [Expect.first(3_604_000, 1)]
            + Expect.view(3_604_000, ["c64": "starttm,1700003604"]) + Expect.playheads(from: 3_605_000, 2...2)
            + [Expect.end(3_605_100)] + Expect.final(3_605_100, 1, ["c64": "starttm,1700003604"])
    )

    static let longPauseInAd = Scenario(
        "a suspension during an ad ends both streams: the content's seconds go to the old one, the ad counts once",
        tracker: Setup.tracker(["pauseTimeoutSeconds": 10]),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_400, .show(.adBreakType("mid"))),
            .at(2_400, .adBreakStart), .at(2_400, .adStart(7)), .at(3_900, .pause), .at(20_000, .play),
            .at(21_100, .adComplete), .at(21_100, .adBreakComplete), .at(22_200, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0, ["c64": first]) + Expect.playheads(from: 1_000, 1...2)
            + [Expect.load(2_400, "midroll", "ad-7"), Expect.first(2_400, 0, "midroll")]
            + Expect.view(2_400, ["ad": "1"]) + Expect.playheads(from: 3_400, 1...1, "midroll")
            + [Expect.stop(3_900)] + Expect.final(3_900, 1, ["ad": "1"])
            + [Expect.first(20_000, 1, "midroll")]
            + Expect.final(20_000, 2, ["ad": "0", "c64": first, "c51": "adl,1", "c52": "noad,1"])
            + Expect.view(20_000, ["ad": "1", "c64": "starttm,1700000020"])
            + Expect.playheads(from: 21_000, 2...2, "midroll") + [Expect.stop(21_100)]
            + Expect.final(21_100, 1, ["ad": "1", "c64": "starttm,1700000020"])
            + [Expect.load(21_100, "content", "asset-1"), Expect.first(21_100, 5)]
            + Expect.view(21_100, ["ad": "0", "c64": "starttm,1700000021", "c51": "adl,1", "c52": "noad,0"])
            + Expect.playheads(from: 22_100, 6...6) + [Expect.end(22_200)]
            + Expect.final(22_200, 1, ["c64": "starttm,1700000021"])
    )
}
