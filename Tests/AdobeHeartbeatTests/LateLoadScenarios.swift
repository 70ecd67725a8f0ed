import Tally
import TallyTesting

/// Loads of which the player says only later what is mandatory.
enum LateLoadScenarios {
    static let all: [Scenario] = [firstFrame, longWait, pauseInTheWait, chapterInTheWait, givenUp]

    /// A film whose length nobody knows at the load.
    private static let player: SyntheticPlayer.Model = {
        var player = SyntheticPlayer.Model()
        player.length = nil
        return player
    }()

    static let firstFrame = Scenario(
        "A length that comes with the first frame opens the session, though no call of the guides follows",
        player: player,
        steps: [
            .at(0, .load), .at(300, .show(.duration(600_000))), .at(300, .firstFrame), .at(10_500, .unload),
        ],
        rows: [
            Row(300, "load", 0, 0, 1, 0, 0, -1, has: length),
            Row(10_000, "start", 0, 10_000, 1, 10_000, 0, -1, has: length),
            Row(10_000, "active", 0, 10_000, 1, 10_000, 10_000, -1, has: length),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    private static let length: [String: PlainValue] = ["l:asset:duration": .int(600)]

    static let longWait = Scenario(
        "Quanta that ended while the load waited go out when it is over, each as long as any other",
        sampled: true,
        player: player,
        steps: [.at(0, .load), .at(0, .play), .at(25_100, .show(.duration(600_000))), .at(30_500, .unload)],
        rows: [
            Row(25_250, "load", 0, 0, 1, 0, 0, -1, has: length),
            Row(25_250, "start", 0, 0, 1, 0, 0, -1, has: length),
            Row(25_250, "play", 0, 10_000, 1, 10_000, 0, -1, has: length),
            Row(25_250, "active", 10, 10_000, 1, 10_000, 10_000, -1, has: length),
            Row(25_250, "play", 10, 10_000, 2, 20_000, 10_000, 0, has: length),
            Row(25_250, "active", 20, 10_000, 2, 20_000, 20_000, 10_000, has: length),
            Row(30_000, "play", 20, 10_000, 3, 30_000, 20_000, 10_000),
            Row(30_000, "active", 30, 10_000, 3, 30_000, 30_000, 20_000),
            Row(30_500, "unload", 0, 0, 1, 0, 30_500, -1),
        ]
    )

    static let pauseInTheWait = Scenario(
        "The seconds tick from the load on, and stand in a pause before the load is complete",
        sampled: true,
        player: player,
        steps: [
            .at(0, .load), .at(0, .play), .at(4_000, .pause), .at(6_000, .play), .at(8_000, .show(.duration(600_000))),
            .at(12_500, .unload),
        ],
        rows: [
            Row(8_250, "load", 0, 0, 1, 0, 0, -1),
            Row(12_000, "start", 0, 0, 1, 0, 0, -1),
            Row(12_000, "play", 4, 10_000, 2, 10_000, 6_000, -1),
            Row(12_000, "active", 10, 12_000, 1, 12_000, 12_000, -1),
            Row(12_500, "unload", 0, 0, 1, 0, 12_500, -1),
        ]
    )

    static let chapterInTheWait = Scenario(
        "What is told at once says the length that came after it",
        player: player,
        steps: [
            .at(0, .load), .at(100, .chapterStart(1)), .at(200, .show(.duration(600_000))), .at(300, .quality),
            .at(400, .unload),
        ],
        rows: [
            Row(300, "load", 0, 0, 1, 0, 0, -1, has: length.merging(["l:stream:dropped_frames": .int(1)]) { $1 }),
            Row(300, "chapter_start", 0, 0, 1, 0, 100, -1, has: length),
            Row(400, "unload", 0, 0, 1, 0, 400, -1, has: ["l:stream:dropped_frames": .int(1)]),
        ]
    )

    static let givenUp = Scenario(
        "A length that never comes is given up 30 s after the load, whatever is sampled",
        sampled: true,
        player: player,
        steps: [.at(0, .load), .at(0, .play), .at(35_000, .unload)],
        rows: [],
        errors: [
            .at(
                30_000,
                "tracker_error",
                ["code": .string("information"), "details": .string("VideoInfo.length is missing or no number")]
            )
        ]
    )
}
