import EventModel
import Tally
import TallyTesting

/// What the tracker says of errors.
enum ErrorScenarios {
    static let all: [Scenario] = [fatalError, warning, errorBeforeStart, businessException]

    private static func error(_ details: PlayerErrorDetails) -> PlayerAction {
        Act.call { _, run in run.trackVideoPlayerError("E1", details) }
    }

    static let fatalError = Scenario(
        "A fatal error stays in the player data of the view and is gone with the next one",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(2_000, error(.init(message: "lost", code: 5, fatal: true, context: "segment 7"))),
            .at(3_000, .requestFailed(status: 500)), .at(4_000, .load), .at(5_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"), .at(0, "viewinit", lacks: ["player_error_code", "player_error_message"]),
            .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + [
            .at(0, "playing", lacks: ["player_error_code", "player_error_context"]),
            .at(
                2_000,
                "error",
                [
                    "player_error_code": .int(5), "player_error_message": .string("lost"),
                    "player_error_context": .string("segment 7"), "player_error_severity": .string("fatal"),
                ]
            ), .at(2_000, "beacon"),
            .at(
                3_000,
                "requestfailed",
                [
                    "player_error_code": .int(5), "player_error_message": .string("lost"),
                    "player_error_context": .string("segment 7"),
                ]
            ),
            .at(4_000, "viewend", ["player_error_code": .int(5), "view_watch_time": .int(2_000)]),
            .at(4_000, "beacon"),
            .at(
                4_000,
                "viewmetrics",
                [
                    "playback_failure": .bool(true), "video_startup_failure": .bool(false),
                    "playback_success_score": .double(0),
                ]
            ),
            .at(4_000, "viewinit", lacks: ["player_error_code", "player_error_severity"]), .at(4_000, "data"),
            .at(5_000, "viewend"), .at(5_000, "beacon"),
        ]
    )

    static let warning = Scenario(
        "A warning is told by its own event alone, and playback goes on",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .playerError("W1")), .at(3_000, .pause),
            .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"),
            .at(
                2_000,
                "error",
                [
                    "player_error_severity": .string("warning"), "player_error_code": .int(7),
                    "player_error_message": .string("synthetic"),
                ]
            ),
            .at(
                3_000,
                "pause",
                ["view_watch_time": .int(3_000)],
                lacks: ["player_error_code", "player_error_severity"]
            ),
        ] + Says.end(4_000, ["playback_failure": .bool(false), "playback_success_score": .double(100)])
    )

    static let errorBeforeStart = Scenario(
        "An error before the first frame is a failed start, and no exit",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(0, .play), .at(1_000, error(.init(message: "no manifest"))), .at(2_000, .unload)],
        expected: Says.opening() + Says.start(0) + [
            .at(1_000, "error", ["player_error_code": .string("E1"), "player_error_severity": .string("fatal")]),
            .at(1_000, "beacon"),
        ]
            + Says.end(
                2_000,
                [
                    "video_startup_failure": .bool(true), "playback_failure": .bool(true),
                    "exit_before_video_start": .bool(false),
                ]
            )
    )

    static let businessException = Scenario(
        "A business exception is no failure of playback",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(
                1_000,
                Act.call { player, run in
                    player.change { $0.moreOfState = { $0.custom("player_error_business_exception", .bool(true)) } }
                    run.trackVideoPlayerError("LOGIN", .init(message: "log in first", fatal: true))
                }
            ), .at(2_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "error", ["player_error_business_exception": .bool(true)]),
            .at(1_000, "beacon"),
        ]
            + Says.end(
                2_000,
                [
                    "business_exception": .bool(true), "playback_failure": .bool(false),
                    "playback_success_score": .double(100),
                ]
            )
    )
}
