import Tally
import TallyTesting

/// What comes at the very microsecond at which a quantum ends.
enum InstantScenarios {
    static let all: [Scenario] = [pause, seek, unload, completion]

    private static let begin = [
        Row(0, "load", 0, 0, 1, 0, 0, -1), Row(10_000, "start", 0, 0, 1, 0, 0, -1),
        Row(10_000, "play", 0, 10_000, 1, 10_000, 0, -1),
    ]
    private static let active = Row(10_000, "active", 10, 10_000, 1, 10_000, 10_000, -1)

    private static func scenario(_ name: String, _ actions: [PlayerAction], _ rows: [Row]) -> Scenario {
        Scenario(
            name,
            endsAtOnce: true,
            steps: [.at(0, .load), .at(0, .play)] + actions.map { .at(10_000, $0) },
            rows: begin + rows
        )
    }

    static let pause = scenario("A pause in the instant of a quantum's end does not keep it back", [.pause], [active])

    static let seek = scenario(
        "A seek in the instant of a quantum's end does not keep it back",
        [.seekStart(to: 60)],
        [active]
    )

    static let unload = scenario(
        "A quantum that ends in the instant of the unload goes out before it",
        [.unload],
        [active, Row(10_000, "unload", 0, 0, 1, 0, 10_000, -1)]
    )

    static let completion = scenario(
        "A completion in the instant of a quantum's end comes first: the quantum goes out with it",
        [.complete],
        [Row(10_000, "complete", 600, 0, 1, 0, 10_000, -1)]
    )
}
