import Tally
import TallyTesting

/// What the tracker says of a sleep of the machine.
enum SleepScenarios {
    static let all: [Scenario] = [playback, lateLoad, givenUp]

    static let playback = Scenario(
        "A sleep of the machine is no time of a quantum, whether it plays or stands in a pause",
        sampled: true,
        steps: [
            .at(0, .load), .at(0, .play), .sleep(4_000, to: 3_604_300), .at(3_612_300, .pause),
            .sleep(3_613_000, to: 3_703_000), .at(3_705_300, .play), .at(3_713_500, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(3_610_300, "start", 0, 0, 1, 0, 0, -1),
            Row(3_610_300, "play", 0, 10_000, 1, 10_000, 0, -1),
            Row(3_610_300, "active", 10, 10_000, 1, 10_000, 3_610_300, -1),
            Row(3_713_300, "play", 12, 10_000, 3, 20_000, 3_705_300, 0),
            Row(3_713_300, "active", 20, 13_000, 2, 23_000, 3_713_300, 3_610_300),
            Row(3_713_500, "unload", 0, 0, 1, 0, 3_713_500, -1),
        ]
    )

    /// A film whose length nobody knows at the load.
    private static let player: SyntheticPlayer.Model = {
        var player = SyntheticPlayer.Model()
        player.length = nil
        return player
    }()

    static let lateLoad = Scenario(
        "A sleep while the load waits is no time of the quantum either",
        sampled: true,
        player: player,
        steps: [
            .at(0, .load), .at(0, .play), .sleep(4_000, to: 3_604_000), .at(3_606_100, .show(.duration(600_000))),
            .at(3_610_500, .unload),
        ],
        rows: [
            Row(3_606_250, "load", 0, 0, 1, 0, 0, -1),
            Row(3_610_000, "start", 0, 0, 1, 0, 0, -1),
            Row(3_610_000, "play", 0, 10_000, 1, 10_000, 0, -1),
            Row(3_610_000, "active", 10, 10_000, 1, 10_000, 3_610_000, -1),
            Row(3_610_500, "unload", 0, 0, 1, 0, 3_610_500, -1),
        ]
    )

    static let givenUp = Scenario(
        "A load is given up after 30 s in which the machine did not sleep",
        sampled: true,
        player: player,
        steps: [.at(0, .load), .at(0, .play), .sleep(4_000, to: 64_000), .at(95_000, .unload)],
        rows: [],
        errors: [.at(90_000, "tracker_error", ["code": .string("information")])]
    )
}
