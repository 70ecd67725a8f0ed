import Tally
import TallyTesting

/// What comes before the first call of `play`: the content has not begun to play, whatever leads back to it.
enum BeforePlayScenarios {
    static let all: [Scenario] = [completedAd, completedAdAsBefore, skippedAd, seek, initialBuffering]

    /// The player stands, though the synthetic one moves behind whatever it has waited for.
    private static let standstill = PlayerAction.call(
        PlayerCall("stands") { player, _ in player.change { $0.moving = false } }
    )

    private static func ad(_ name: String, _ configuration: JSONValue) -> Scenario {
        Scenario(
            name,
            configuration,
            sampled: true,
            steps: [
                .at(0, .load), .at(0, .adStart(0)), .at(3_000, .adComplete), .at(5_000, .play), .at(10_500, .unload),
            ],
            rows: [
                .load(),
                Row(10_000, "start", 0, 2_000, 2, 2_000, 3_000, -1, lacks: ["s:asset:ad_id"]),
                Row(10_000, "start/ad", 0, 0, 1, 0, 0, -1),
                Row(10_000, "play/ad", 0, 3_000, 2, 3_000, 3_000, -1),
                Row(10_000, "complete/ad", 0, 0, 1, 0, 3_000, -1),
                Row(10_000, "play", 0, 5_000, 1, 5_000, 5_000, -1, lacks: ["s:asset:ad_id"]),
                Row(10_000, "active", 5, 10_000, 1, 10_000, 10_000, -1),
                Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
            ]
        )
    }

    static let completedAd = ad(
        "An ad that is over before the first play leads back to the start of the content, not into its playback",
        Heartbeat.configuration
    )

    static let completedAdAsBefore = ad(
        "As 1.3.1, too, an ad that is over before the first play leads back to the start of the content",
        Heartbeat.oldConfiguration
    )

    static let skippedAd = Scenario(
        "A skipped ad is left without having completed",
        steps: [
            .at(0, .load), .at(0, .adStart(0)), .at(3_000, .adSkip), .at(10_500, .unload),
        ],
        rows: [
            .load(),
            Row(10_000, "start", 0, 7_000, 2, 7_000, 3_000, -1),
            Row(10_000, "start/ad", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play/ad", 0, 3_000, 1, 3_000, 0, -1),
            Row(10_000, "active", 0, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let seek = Scenario(
        "A seek before the first play leads back to the start of the content, not into its playback",
        sampled: true,
        steps: [
            .at(0, .load), .at(1_000, .seekStart(to: 60)), .at(2_000, .seekComplete), .at(2_000, standstill),
            .at(4_000, .play), .at(11_500, .unload),
        ],
        rows: [
            .load(),
            Row(11_000, "start", 60, 3_000, 2, 3_000, 2_000, -1),
            Row(11_000, "play", 60, 7_000, 1, 7_000, 4_000, -1),
            Row(11_000, "active", 67, 11_000, 1, 11_000, 11_000, -1),
            Row(11_500, "unload", 0, 0, 1, 0, 11_500, -1),
        ]
    )

    static let initialBuffering = Scenario(
        "What comes between the initial buffering and the first play is the start of the content, not its playback",
        steps: [
            .at(0, .load), .at(1_000, .bufferStart(.initial)), .at(3_000, .bufferComplete),
            .at(3_000, standstill), .at(4_000, .play), .at(10_500, .unload),
        ],
        rows: [
            .load(),
            Row(10_000, "start", 0, 2_000, 2, 2_000, 3_000, -1),
            Row(10_000, "buffer", 0, 2_000, 1, 2_000, 1_000, -1),
            Row(10_000, "play", 0, 6_000, 1, 6_000, 4_000, -1),
            Row(10_000, "active", 0, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )
}
