import EventModel
import Tally
import TallyTesting
import TextEncoding

/// What `playheadPosition` is told: seconds on demand, the wall clock of what is shown for live streams.
enum PositionScenarios {
    static let all: [Scenario] = [
        live, liveSeekBack, liveWithoutWallClock, jump, behind, doubleSpeed, halted, noFirstFrame,
    ]

    private static let epoch: Int64 = 1_700_000_000

    private static func live(_ more: [String: String] = [:], _ seconds: Int64 = epoch) -> [Scenario.Expected] {
        [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1", ["length": .string("86400")]),
            Expect.first(0, seconds),
        ]
            + Expect.view(0, ["c58": "isLive,true", "sd": "86400"])
    }

    private static let linear: [Scenario.Step] = [
        .at(0, .show(.streamType(.linear))), .at(0, .show(.length(-1))), .at(0, .load), .at(0, .play),
        .at(0, .firstFrame),
    ]

    static let live = Scenario(
        "a live stream's position is the current time, its length round the clock 86400",
        tracker: Setup.tracker(),
        steps: [.at(0, .show(.liveStart(epoch * 1000)))] + linear + [.at(2_100, .unload)],
        expected: live() + Expect.playheads(from: 1_000, (epoch + 1)...(epoch + 2)) + [Expect.end(2_100)]
            + Expect.final(2_100, 2)
    )

    static let liveSeekBack = Scenario(
        "after seeking back in a live stream the position is the time of the material",
        tracker: Setup.tracker(),
        steps: [.at(0, .show(.liveStart(epoch * 1000 - 600_000))), .at(0, .show(.position(600_000)))]
            + [
                .at(0, .show(.streamType(.linear))), .at(0, .show(.length(-1))), .at(0, .load),
                .at(0, .show(.position(600_000))), .at(0, .play), .at(0, .firstFrame), .at(1_500, .seekStart(to: 300)),
                .at(2_000, .seekComplete), .at(3_100, .unload),
            ],
        expected: live() + Expect.playheads(from: 1_000, (epoch + 1)...(epoch + 1))
            + [Expect.first(2_000, epoch - 300)] + Expect.playheads(from: 3_000, (epoch - 299)...(epoch - 299))
            + [Expect.end(3_100)] + Expect.final(3_100, 2)
    )

    static let liveWithoutWallClock = Scenario(
        "a player that does not tell the wall clock is taken to begin at the live edge",
        tracker: Setup.tracker(),
        steps: linear + [.at(1_500, .pause), .at(11_500, .play), .at(11_600, .unload)],
        expected: live() + Expect.playheads(from: 1_000, (epoch + 1)...(epoch + 1)) + [Expect.stop(1_500)]
            + Expect.final(1_500, 1) + [Expect.first(11_500, epoch + 1), Expect.end(11_600)]
    )

    private static let started: [Scenario.Step] = [.at(0, .load), .at(0, .play), .at(0, .firstFrame)]

    private static let beginning: [Scenario.Expected] =
        [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)] + Expect.view(0)

    static let jump = Scenario(
        "a player that jumps without a seek is followed, and that second does not count",
        tracker: Setup.tracker(),
        sampled: true,
        steps: started + [.at(1_600, .show(.position(50_000))), .at(3_100, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.first(2_000, 50)]
            + Expect.playheads(from: 3_000, 51...51) + [Expect.end(3_100)] + Expect.final(3_100, 2)
    )

    static let behind = Scenario(
        "a player that falls behind is waited for",
        tracker: Setup.tracker(["content": ["program": "Waiting"]]),
        sampled: true,
        steps: started + [
            .at(0, .seekStart(to: 10)), .at(0, .seekComplete), .at(100, .rate(0.001)), .at(3_100, .rate(1)),
            .at(6_200, .unload),
        ],
        expected: [
            Expect.started(), Expect.play(0),
            Expect.load(0, "content", "asset-1", ["program": .string("Waiting")]), Expect.first(0, 0),
        ]
            + Expect.view(0, ["cg": "Waiting"]) + [Expect.first(0, 10)] + Expect.playheads(from: 4_000, 11...13)
            + [Expect.end(6_200)] + Expect.final(6_200, 3)
    )

    static let doubleSpeed = Scenario(
        "at double speed the player's own position is told, once a second",
        tracker: Setup.tracker(),
        sampled: true,
        steps: started + [.at(100, .rate(2)), .at(2_900, .unload)],
        expected: beginning
            + [
                .at(1_000, "playheadPosition", ["position": .int(1), "credited": .int(1)]),
                .at(2_000, "playheadPosition", ["position": .int(3), "credited": .int(1)]),
                Expect.end(2_900),
            ]
            + Expect.final(2_900, 2)
    )

    static let halted = Scenario(
        "a player that stands at a rate of 0 is paused",
        tracker: Setup.tracker(),
        sampled: true,
        steps: started + [.at(1_100, .rate(0)), .at(4_100, .rate(1)), .at(6_200, .unload)],
        expected: beginning + Expect.playheads(from: 1_000, 1...1) + [Expect.stop(1_100)]
            + Expect.final(1_100, 1) + [Expect.first(4_100, 1)] + Expect.playheads(from: 5_100, 2...3)
            + [Expect.end(6_200)] + Expect.final(6_200, 2)
    )

    static let noFirstFrame = Scenario(
        "a player that tells of no first frame has started when its playhead moves",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .load), .at(0, .play), .at(100, .sample), .at(350, .sample), .at(1_400, .unload),
        ],
        expected: [Expect.started(), Expect.play(0), Expect.load(350, "content", "asset-1"), Expect.first(350, 0)]
            + Expect.view(350) + Expect.playheads(from: 1_350, 1...1) + [Expect.end(1_400)] + Expect.final(1_400, 1)
    )
}
